/** Purchases in memory: a map in the order in which they were begun, and each shopper's ids beside it. */
import type { KnownOrder, KnownPurchase, Purchase } from '../../purchase/purchase.ts'
import {
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_PER_SHOPPER,
  type PurchaseRows,
  SETTLED_FOR_SHOPPER,
  shopperKey,
} from '../store.ts'

interface Row {
  readonly purchase: Purchase
  claimedBy: string | null
  /** By id, in the order in which they were first recorded. */
  readonly orders: Map<string, KnownOrder>
  keptUntil: number
}

const SWEEP_EVERY_MS = 60_000

export function memoryPurchases(now: () => number): PurchaseRows {
  const rows = new Map<string, Row>()
  const byShopper = new Map<string, Set<Row>>()
  let sweepAt = now() + SWEEP_EVERY_MS

  function live(id: string): Row | undefined {
    const row = rows.get(id)
    return row && row.keptUntil > now() ? row : undefined
  }

  function remove(row: Row): void {
    const key = shopperKey(row.purchase.shopper)
    const ofShopper = byShopper.get(key)
    rows.delete(row.purchase.id)
    ofShopper?.delete(row)
    if (ofShopper?.size === 0) byShopper.delete(key)
  }

  function makeWay(ofShopper: Set<Row>): void {
    const unsettled = [...ofShopper].filter((row) => row.claimedBy === null)
    for (const row of unsettled.sort(inOrder).slice(0, -PURCHASES_PER_SHOPPER)) remove(row)
  }

  function sweep(): number {
    const expired = [...rows.values()].filter((row) => row.keptUntil <= now())
    for (const row of expired) remove(row)
    sweepAt = now() + SWEEP_EVERY_MS
    return expired.length
  }

  return {
    async begin(purchase) {
      if (now() >= sweepAt) sweep()
      if (rows.has(purchase.id)) return
      const row = {
        purchase,
        claimedBy: null,
        orders: new Map(),
        keptUntil: purchase.validUntil + KEEP_UNSETTLED_MS,
      }
      const key = shopperKey(purchase.shopper)
      const ofShopper = byShopper.get(key) ?? new Set()
      rows.set(purchase.id, row)
      byShopper.set(key, ofShopper.add(row))
      makeWay(ofShopper)
    },
    async find(id) {
      const row = live(id)
      return row ? known(row) : null
    },
    async claim(id, orderId) {
      const row = live(id)
      if (!row) return null
      if (row.claimedBy === null) {
        row.claimedBy = orderId
        row.keptUntil = now() + KEEP_SETTLED_MS
      }
      return row.claimedBy
    },
    async record(id, order) {
      const row = live(id)
      if (!row) return
      row.orders.set(order.id, order)
      const oldest = [...row.orders.keys()].find((one) => one !== row.claimedBy)
      if (row.orders.size > ORDERS_PER_PURCHASE && oldest !== undefined) row.orders.delete(oldest)
    },
    async settledFor(shopper, productId) {
      return [...(byShopper.get(shopper) ?? [])]
        .filter((row) => row.claimedBy !== null && row.keptUntil > now())
        .filter(({ purchase }) => purchase.params.product_id === productId)
        .sort((one, other) => inOrder(other, one))
        .slice(0, SETTLED_FOR_SHOPPER)
        .map(known)
    },
    async unsettled({ from, to, limit, after }) {
      return [...rows.values()]
        .filter((row) => row.claimedBy === null && row.keptUntil > now())
        .filter(({ purchase: { begunAt } }) => begunAt >= from && begunAt < to)
        .filter((row) => !after || inOrder(row, { purchase: after }) > 0)
        .sort(inOrder)
        .slice(0, limit)
        .map(known)
    },
    async keep(id) {
      const row = live(id)
      if (row && row.claimedBy !== null) row.keptUntil = now() + KEEP_SETTLED_MS
    },
    async sweep() {
      return sweep()
    },
  }
}

interface Begun {
  readonly purchase: Pick<Purchase, 'id' | 'begunAt'>
}

function inOrder({ purchase: one }: Begun, { purchase: other }: Begun): number {
  if (one.begunAt !== other.begunAt) return one.begunAt - other.begunAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

const known = ({ purchase, claimedBy, orders }: Row): KnownPurchase => ({
  purchase,
  claimedBy,
  orders: [...orders.values()],
})
