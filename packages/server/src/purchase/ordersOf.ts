/** All orders of a shopper: what the service lists by their ids, and what the store knows of purchases that travel in `custom_id`. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import type { Known } from './known.ts'
import { listOrders } from './listOrders.ts'
import type { KnownPurchase } from './purchase.ts'
import { purchasesOf } from './purchasesOf.ts'
import { type Asker, idsOf, isTheirOrder } from './shopper.ts'
import type { OrderSummary } from './summary.ts'

export interface OrdersOfShopper {
  /** As the service lists them now. */
  listed: Order[]
  /** As they were when they were last looked at. None of them is among the others. */
  recorded: OrderSummary[]
}

/** Rejects when the service or the store is gone. */
export type OrdersOf = (asker: Asker) => Promise<OrdersOfShopper>

export interface OrdersOfOptions {
  client: Pick<PurchaseClient, 'orders'>
  tokens: TokenLease
  rows: Pick<PurchaseRows, 'ofShopper'>
  known: Known
}

export function createOrdersOf({ client, tokens, rows, known }: OrdersOfOptions): OrdersOf {
  async function listAll(asker: Asker): Promise<Order[]> {
    const { customId } = asker.shopper
    // The service lists by custom id alone.
    const ids = idsOf(asker).slice(customId === undefined ? 1 : 0)
    const lists = await Promise.all(ids.map((id) => listOrders(client, tokens, id)))
    return lists.flat().filter((order) => isTheirOrder(asker, order))
  }

  /** Newest first. */
  async function carried(asker: Asker): Promise<KnownPurchase[]> {
    return (await purchasesOf(rows, asker)).filter(({ purchase }) => purchase.carrier === 'custom_id')
  }

  return async (asker) => {
    const [listed, purchases] = await Promise.all([listAll(asker), carried(asker)])
    const isListed = new Set(listed.map(({ id }) => id))
    const open = purchases.find(({ claimedBy }) => claimedBy === null)
    // The one that may just have been paid; the others are found by webhooks and by reconciliation.
    const isRead = open && (await known(open.purchase.id, asker, false)).fresh
    const latest = isRead ? await carried(asker) : purchases
    const recorded = latest
      .flatMap(({ orders }) => orders.toReversed().map(({ summary }) => JSON.parse(summary) as OrderSummary))
      .filter(({ id }) => !isListed.has(id))
    return { listed, recorded }
  }
}
