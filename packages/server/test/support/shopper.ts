/** What shoppers and the service do to the instances of a shop: again where an instance is gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, TokenGrant } from '../../src/index.ts'
import type { Service } from './service.ts'
import type { ShopFleet } from './shopFleet.ts'

export interface Bought {
  purchaseId: string
  order: Order
}

/** A shopper begins at whichever instance is open, and pays. */
export async function buyAt(
  fleet: Pick<ShopFleet, 'url'>,
  service: Service,
  shopper: string,
): Promise<Bought> {
  for (;;) {
    const answer = await fetch(`${fleet.url()}/token`, {
      method: 'POST',
      body: '{}',
      headers: {
        cookie: `shopper=${shopper}`,
        'content-type': 'application/json',
        origin: 'https://shop.example',
      },
    }).catch(() => null)
    const grant = answer?.ok ? ((await answer.json().catch(() => null)) as TokenGrant | null) : null
    if (grant) return { purchaseId: grant.purchaseId, order: await service.buy(grant.params) }
    await sleep(50)
  }
}

/** Gives the status; 0 when there was no answer. */
export async function sendWebhook(
  fleet: Pick<ShopFleet, 'url'>,
  path: string,
  orderId: string,
): Promise<number> {
  const answer = await fetch(fleet.url() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { order_id: orderId } }),
  }).catch(() => null)
  await answer?.body?.cancel().catch(() => {})
  return answer?.status ?? 0
}

/** As the service does: again, until it is acknowledged. */
export async function sendUntilAcknowledged(
  fleet: Pick<ShopFleet, 'url'>,
  path: string,
  orderId: string,
): Promise<void> {
  while ((await sendWebhook(fleet, path, orderId)) !== 202) await sleep(50)
}
