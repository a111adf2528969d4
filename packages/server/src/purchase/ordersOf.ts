/** All orders of a shopper: what the service lists by their ids, and what the store knows of purchases that travel in `custom_id`. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import type { ReadStatus } from './status.ts'
import { listOrders } from './listOrders.ts'
import type { PurchaseRecord } from './purchase.ts'
import { purchasesOf } from './purchasesOf.ts'
import { type Caller, idsOf, isTheirOrder } from './shopper.ts'
import type { OrderSummary } from './summary.ts'

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
