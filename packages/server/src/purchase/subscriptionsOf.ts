/** All subscriptions of a shopper: by their ids, and by those of their purchases that travel in `custom_id`. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { meansUnknown } from '../client/meansUnknown.ts'
import type { Subscription } from '../client/wire.ts'
import { isApiError } from '../errors.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { KnownPurchase } from './purchase.ts'
import { purchasesOf } from './purchasesOf.ts'
import { type Asker, idsOf, MOST_IDS } from './shopper.ts'

/** Rejects when the service or the store is gone. */
export type SubscriptionsOf = (asker: Asker) => Promise<Subscription[]>

export interface SubscriptionsOfOptions {
  client: Pick<PurchaseClient, 'subscriptions'>
  rows: Pick<PurchaseRows, 'ofShopper'>
}

type Query = { custom_id: string } | { user_id: string }

export function createSubscriptionsOf({ client, rows }: SubscriptionsOfOptions): SubscriptionsOf {
  /** The service takes one identifier at a time, and what it lists by another is not ours. */
  async function list(query: Query): Promise<Subscription[]> {
    const listed = await client.subscriptions.list(query).catch((error: unknown) => {
      if (isApiError(error) && meansUnknown(error)) return []
      throw error
    })
    return listed.filter((one) =>
      'custom_id' in query ? one.custom_id === query.custom_id : one.user_id === query.user_id,
    )
  }

  return async (asker) => {
    const ids = [...idsOf(asker), ...newestOfEachProduct(await purchasesOf(rows, asker))]
    const { customId, userId } = asker.shopper
    const queries = ids.map((id): Query => {
      return customId === undefined && id === userId ? { user_id: id } : { custom_id: id }
    })
    const found = (await Promise.all(queries.map(list))).flat()
    // A subscription has no id. One that is found by its user and by its purchase is the same record.
    return [...new Map(found.map((one) => [JSON.stringify(one.raw), one])).values()]
  }
}

/** Ids of purchases that were paid and travel in `custom_id`. Who subscribes anew to a product asks about the latest. */
function newestOfEachProduct(purchases: readonly KnownPurchase[]): string[] {
  const ids = new Map<string, string>()
  for (const { purchase, claimedBy } of purchases) {
    const { id, carrier, params } = purchase
    const product = params.product_id ?? ''
    if (carrier === 'custom_id' && claimedBy !== null && !ids.has(product)) ids.set(product, id)
  }
  return [...ids.values()].slice(0, MOST_IDS)
}
