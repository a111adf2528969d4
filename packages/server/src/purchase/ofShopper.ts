/** All that is a shopper's: purchases, orders and subscriptions, also from before they signed in. */

import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, Subscription } from '../client/wire.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { customIdOf } from './carrier.ts'
import type { PurchaseRecord } from './purchase.ts'
import { listOrders } from './readOrders.ts'
import { type Caller, idsOf, isTheirOrder, isTheirs, MOST_IDS } from './shopper.ts'
import type { ReadStatus } from './status.ts'
import { listSubscriptions, type SubscriptionIdentifier } from './subscriptions.ts'
import type { OrderSummary } from './summary.ts'

/** Newest first for each of their ids. The store finds them by text, in which an id of the shop's may be spelt like one of the service's. */
export async function purchasesOf(
  rows: Pick<PurchaseRows, 'ofShopper'>,
  caller: Caller,
): Promise<PurchaseRecord[]> {
  const found = await Promise.all(idsOf(caller).map((id) => rows.ofShopper(id)))
  return found.flat().filter(({ purchase }) => isTheirs(caller, purchase))
}

export interface OrdersOfShopper {
  /** As the service lists them now. */
  listed: Order[]
  /** As they were when they were last read. None of them is among the others. */
  recorded: OrderSummary[]
}

export interface OrdersOfOptions {
  client: Pick<PurchaseClient, 'orders'>
  tokens: TokenLease
  rows: Pick<PurchaseRows, 'ofShopper'>
  readStatus: ReadStatus
}

/** Rejects when the service or the store is gone. */
export async function ordersOf(
  { client, tokens, rows, readStatus }: OrdersOfOptions,
  caller: Caller,
): Promise<OrdersOfShopper> {
  // The service lists by custom id alone.
  const ids = idsOf(caller).slice(caller.shopper.customId === undefined ? 1 : 0)
  const lists = Promise.all(ids.map((id) => listOrders(client, tokens, id)))
  const [all, purchases] = await Promise.all([lists, carried(rows, caller)])
  const listed = all.flat().filter((order) => isTheirOrder(caller, order))
  const isListed = new Set(listed.map(({ id }) => id))
  const open = purchases.find(({ claimedBy }) => claimedBy === null)
  // The one that may just have been paid; the others are found by webhooks and by reconciliation.
  const isRead = open && (await readStatus(open.purchase.id, caller, false)).fresh
  const latest = isRead ? await carried(rows, caller) : purchases
  const recorded = latest
    .flatMap(({ orders }) => orders.toReversed().map(({ summary }) => JSON.parse(summary) as OrderSummary))
    .filter(({ id }) => !isListed.has(id))
  return { listed, recorded }
}

/** Those whose id travels in `custom_id`, newest first. */
async function carried(rows: OrdersOfOptions['rows'], caller: Caller): Promise<PurchaseRecord[]> {
  return (await purchasesOf(rows, caller)).filter(({ purchase }) => purchase.carrier === 'custom_id')
}

/** Rejects when the service or the store is gone. */
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
