/** Purchases in memory: what is done with their rows. */
import {
  KEEP_UNSETTLED_MS,
  LISTED_FOR_SHOPPER,
  ORDERS_PER_PURCHASE,
  type PurchaseRows,
  SETTLED_FOR_SHOPPER,
} from '../store.ts'
import { inOrder, recordOf, rowsInMemory } from './rows.ts'
import { settlingInMemory } from './settling.ts'

export function memoryPurchases(now: () => number): PurchaseRows {
  const rows = rowsInMemory(now)

  return {
    ...settlingInMemory(rows, now),
    async begin(purchase) {
      rows.add(purchase)
    },
    async open({ id }) {
      rows.open(id)
    },
    async find(id) {
      const row = rows.find(id)
      return row ? recordOf(row) : null
    },
    async record(id, order) {
      const row = rows.find(id)
      if (!row) return
      const isOutdated =
        row.orders.get(order.id)?.type === 'order_complete' && order.type !== 'order_complete'
      if (!isOutdated) row.orders.set(order.id, order)
      row.preloadedUntil = null
      row.keptUntil = Math.max(row.keptUntil, now() + KEEP_UNSETTLED_MS)
      const oldest = [...row.orders.keys()].find((one) => one !== row.claimedBy)
      if (row.orders.size > ORDERS_PER_PURCHASE && oldest !== undefined) row.orders.delete(oldest)
    },
    async settledFor(shopper, productId) {
      return rows
        .ofShopper(shopper)
        .filter(({ claimedBy, purchase }) => claimedBy !== null && purchase.params.product_id === productId)
        .sort((one, other) => inOrder(other, one))
        .slice(0, SETTLED_FOR_SHOPPER)
        .map(recordOf)
    },
    async ofShopper(shopper) {
      return rows
        .ofShopper(shopper)
        .sort((one, other) => inOrder(other, one))
        .slice(0, LISTED_FOR_SHOPPER)
        .map(recordOf)
    },
    async unsettled({ from, to, limit, after }) {
      return rows
        .all()
        .filter((row) => row.claimedBy === null && row.preloadedUntil === null)
        .filter(({ purchase: { begunAt } }) => begunAt >= from && begunAt < to)
        .filter((row) => !after || inOrder(row, { purchase: after }) < 0)
        .sort((one, other) => inOrder(other, one))
        .slice(0, limit)
        .map(recordOf)
    },
    async sweep(limit) {
      return rows.sweep(limit)
    },
  }
}
