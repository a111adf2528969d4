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

/** Rejects when the service or the store is gone. */
export type OrdersOf = (caller: Caller) => Promise<OrdersOfShopper>

export interface OrdersOfOptions {
  client: Pick<PurchaseClient, 'orders'>
  tokens: TokenLease
  rows: Pick<PurchaseRows, 'ofShopper'>
  readStatus: ReadStatus
}

export function createOrdersOf({ client, tokens, rows, readStatus }: OrdersOfOptions): OrdersOf {
  async function listAll(caller: Caller): Promise<Order[]> {
    const { customId } = caller.shopper
    // The service lists by custom id alone.
    const ids = idsOf(caller).slice(customId === undefined ? 1 : 0)
    const lists = await Promise.all(ids.map((id) => listOrders(client, tokens, id)))
    return lists.flat().filter((order) => isTheirOrder(caller, order))
  }

  /** Newest first. */
  async function carried(caller: Caller): Promise<PurchaseRecord[]> {
    return (await purchasesOf(rows, caller)).filter(({ purchase }) => purchase.carrier === 'custom_id')
  }

  return async (caller) => {
    const [listed, purchases] = await Promise.all([listAll(caller), carried(caller)])
    const isListed = new Set(listed.map(({ id }) => id))
    const open = purchases.find(({ claimedBy }) => claimedBy === null)
    // The one that may just have been paid; the others are found by webhooks and by reconciliation.
    const isRead = open && (await readStatus(open.purchase.id, caller, false)).fresh
    const latest = isRead ? await carried(caller) : purchases
    const recorded = latest
      .flatMap(({ orders }) => orders.toReversed().map(({ summary }) => JSON.parse(summary) as OrderSummary))
      .filter(({ id }) => !isListed.has(id))
    return { listed, recorded }
  }
}

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
