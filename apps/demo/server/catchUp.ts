import type { Companion, PurchaseClient, TokenLease } from '@purchase-widget/server'
import type { Deliveries } from './deliveries.ts'

interface CatchUpParts {
  client: PurchaseClient
  tokens: TokenLease
  companion: Companion
  deliveries: Deliveries
}

/**
 * Rings for each complete order that was not handed over: the process before this one may have been killed between the
 * webhook and the delivery. A service that cannot be reached now is no reason not to start; its webhooks will come.
 */
export async function catchUp({ client, tokens, companion, deliveries }: CatchUpParts): Promise<void> {
  try {
    const { accessToken } = await tokens.get()
    for (const { id, type } of await client.orders.listAll({ accessToken })) {
      if (id && type === 'order_complete' && !deliveries.has(id)) await companion.ring({ order_id: id })
    }
  } catch (error) {
    console.error('Could not look for orders that were missed:', error instanceof Error ? error.message : '')
  }
}
