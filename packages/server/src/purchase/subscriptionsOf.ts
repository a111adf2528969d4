/** All subscriptions of a shopper: by their ids, and by those of their purchases that travel in `custom_id`. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Subscription } from '../client/wire.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { customIdOf } from './carriedId.ts'
import type { PurchaseRecord } from './purchase.ts'
import { purchasesOf } from './purchasesOf.ts'
import { type Caller, idsOf, MOST_IDS } from './shopper.ts'
import { listSubscriptions, type SubscriptionIdentifier } from './subscriptions.ts'

/** Rejects when the service or the store is gone. */
export type SubscriptionsOf = (caller: Caller) => Promise<Subscription[]>

export interface SubscriptionsOfOptions {
  client: Pick<PurchaseClient, 'subscriptions'>
  rows: Pick<PurchaseRows, 'ofShopper'>
}

export function createSubscriptionsOf({ client, rows }: SubscriptionsOfOptions): SubscriptionsOf {
  return async (caller) => {
    const ids = [...idsOf(caller), ...newestOfEachProduct(await purchasesOf(rows, caller))]
    const { customId, userId } = caller.shopper
    const identifiers = ids.map((id): SubscriptionIdentifier => {
      return customId === undefined && id === userId ? { user_id: id } : { custom_id: id }
    })
    return listSubscriptions(client, identifiers)
  }
}

/** What carries purchases that were paid and travel in `custom_id`. Who subscribes anew to a product asks about the latest. */
function newestOfEachProduct(purchases: readonly PurchaseRecord[]): string[] {
  const ids = new Map<string, string>()
  for (const { purchase, claimedBy } of purchases) {
    const { id, carrier, params } = purchase
    const product = params.product_id ?? ''
    if (carrier === 'custom_id' && claimedBy !== null && !ids.has(product)) ids.set(product, customIdOf(id))
  }
  return [...ids.values()].slice(0, MOST_IDS)
}
