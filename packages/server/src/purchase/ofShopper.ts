/** Everything of a shopper's: purchases, orders and subscriptions, also from before they signed in. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, Subscription } from '../client/wire.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { customIdOf } from './carrier.ts'
import type { PurchaseRecord } from './purchase.ts'
import { listOrders } from './readOrders.ts'
import { type Caller, idsOf, isTheirOrder, isTheirs, MAX_IDS } from './shopper.ts'
import { listSubscriptions, type SubscriptionIdentifier } from './subscriptions.ts'
import type { OrderSummary } from './summary.ts'

/** Newest first for each of their ids. The store compares text, so an id of the shop's may equal one of the service's. */
async function purchasesOf(rows: Pick<PurchaseRows, 'ofShopper'>, caller: Caller): Promise<PurchaseRecord[]> {
  const found = await Promise.all(idsOf(caller).map((id) => rows.ofShopper(id)))
  return found.flat().filter(({ purchase }) => isTheirs(caller, purchase))
}

export interface OrdersOfShopper {
  /** As the service lists them now. */
  listed: Order[]
  /** As last read. None of them is among the others. */
  recorded: OrderSummary[]
}

export interface OrdersOfOptions {
  client: Pick<PurchaseClient, 'orders'>
  tokens: TokenLease
  rows: Pick<PurchaseRows, 'ofShopper'>
}

/** Rejects when the service or the store is unavailable. */
export async function ordersOf(
  { client, tokens, rows }: OrdersOfOptions,
  caller: Caller,
): Promise<OrdersOfShopper> {
  // The service lists by custom id alone.
  const ids = idsOf(caller).slice(caller.shopper.customId === undefined ? 1 : 0)
  const lists = Promise.all(ids.map((id) => listOrders(client, tokens, id)))
  const [all, purchases] = await Promise.all([lists, purchasesOf(rows, caller)])
  const listed = all.flat().filter((order) => isTheirOrder(caller, order))
  const isListed = new Set(listed.map(({ id }) => id))
  // Orders whose purchase id is in `custom_id` are not listed: webhooks, returns and reconciliation find them.
  const recorded = purchases
    .filter(({ purchase }) => purchase.carrier === 'custom_id')
    .flatMap(({ orders }) => orders.toReversed().map(({ summary }) => JSON.parse(summary) as OrderSummary))
    .filter(({ id }) => !isListed.has(id))
  return { listed, recorded }
}

/** Rejects when the service or the store is unavailable. */
export async function subscriptionsOf(
  client: Pick<PurchaseClient, 'subscriptions'>,
  rows: Pick<PurchaseRows, 'ofShopper'>,
  caller: Caller,
): Promise<Subscription[]> {
  const ids = [...idsOf(caller), ...newestOfEachProduct(await purchasesOf(rows, caller))]
  const { customId, userId } = caller.shopper
  const identifiers = ids.map((id): SubscriptionIdentifier => {
    return customId === undefined && id === userId ? { user_id: id } : { custom_id: id }
  })
  return listSubscriptions(client, identifiers)
}

/** The custom ids of paid purchases that carry their id there. For a product that was subscribed to again, the latest counts. */
function newestOfEachProduct(purchases: readonly PurchaseRecord[]): string[] {
  const ids = new Map<string, string>()
  for (const { purchase, claimedBy, productId } of purchases) {
    const { id, carrier } = purchase
    const product = productId ?? ''
    if (carrier === 'custom_id' && claimedBy !== null && !ids.has(product)) ids.set(product, customIdOf(id))
  }
  return [...ids.values()].slice(0, MAX_IDS)
}
