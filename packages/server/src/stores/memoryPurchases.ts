/** Purchases in memory. */
import type { Purchase, PurchaseRecord, RecordedOrder } from '../purchase/purchase.ts'
import {
  firstLife,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  kindOf,
  LISTED_FOR_SHOPPER,
  MAX_OF_KIND,
  ORDERS_PER_PURCHASE,
  type PurchaseRows,
  SETTLED_FOR_SHOPPER,
  shopperKey,
} from './store.ts'

interface Row {
  readonly purchase: Purchase
  claimedBy: string | null
  productId: string | null
  payer: string | null
  /** Orders to which a charge of the purchase's subscription is assigned. */
  readonly renewedBy: Set<string>
  /** By id, in the order in which they were first recorded. */
  readonly orders: Map<string, RecordedOrder>
  checkAt: number | null
  keptUntil: number
  preloadedUntil: number | null
}

const newRow = (purchase: Purchase): Row => ({
  purchase,
  claimedBy: null,
  productId: null,
  payer: null,
  renewedBy: new Set(),
  orders: new Map(),
  checkAt: null,
  ...firstLife(purchase),
})

/** Purchase records by id, and by shopper. Lookups never return expired records. */
function createRows(now: () => number) {
  const rows = new Map<string, Row>()
  const byShopper = new Map<string, Set<Row>>()

  const isLive = (row: Row): boolean => row.keptUntil > now()
  const allOf = (shopper: string): Row[] => [...(byShopper.get(shopper) ?? [])]

  function remove(row: Row): void {
    const key = shopperKey(row.purchase.shopper)
    const ofShopper = byShopper.get(key)
    rows.delete(row.purchase.id)
    ofShopper?.delete(row)
    if (ofShopper?.size === 0) byShopper.delete(key)
  }

  return {
    add(row: Row): void {
      const key = shopperKey(row.purchase.shopper)
      rows.set(row.purchase.id, row)
      byShopper.set(key, (byShopper.get(key) ?? new Set()).add(row))
    },
    find(id: string): Row | undefined {
      const row = rows.get(id)
      return row && isLive(row) ? row : undefined
    },
    live: (): Row[] => [...rows.values()].filter(isLive),
    ofShopper: (shopper: string): Row[] => allOf(shopper).filter(isLive),
    remove(id: string): void {
      const row = rows.get(id)
      if (row) remove(row)
    },
    /** Evicts the shopper's records that are counted like this one beyond the limit: first those without an order, then the oldest. */
    evict(added: Row): void {
      const { kind, most } = countOf(added)
      const others = allOf(shopperKey(added.purchase.shopper))
        .filter((row) => row !== added && row.claimedBy === null && countOf(row).kind === kind)
        .sort((one, other) => hasOrder(other) - hasOrder(one) || newestFirst(one, other))
      for (const row of others.slice(most - 1)) remove(row)
    },
    sweep(limit: number): number {
      const expired = [...rows.values()].filter((row) => !isLive(row)).slice(0, limit)
      for (const row of expired) remove(row)
      return expired.length
    },
  }
}

type Rows = ReturnType<typeof createRows>

/** Which records of a shopper are counted together, and how many of them are kept. One that another site opened counts as a link once it has an order. */
function countOf(row: Row): { kind: string; most: number } {
  if (row.preloadedUntil !== null) return { kind: 'preloaded', most: MAX_OF_KIND.preloaded }
  const opened = kindOf(row.purchase)
  const kind = opened === 'other_site' && hasOrder(row) ? 'link' : opened
  return { kind, most: MAX_OF_KIND[kind] }
}

/** 1 or 0. */
const hasOrder = ({ orders }: Row): number => Math.sign(orders.size)

export function memoryPurchases(now: () => number): PurchaseRows & { sweep(limit: number): number } {
  const rows = createRows(now)
  return {
    ...searches(rows),
    ...settlement(rows, now),
    async begin(purchase) {
      if (rows.find(purchase.id)) return
      rows.remove(purchase.id)
      const row = newRow(purchase)
      rows.add(row)
      rows.evict(row)
    },
    async open({ id }) {
      const row = rows.find(id)
      if (!row || row.preloadedUntil === null) return
      row.preloadedUntil = null
      row.keptUntil = Math.max(row.keptUntil, row.purchase.validUntil + KEEP_UNTRIED_MS)
      rows.evict(row)
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
    sweep: rows.sweep,
  }
}

type Searches = Pick<PurchaseRows, 'find' | 'settledFor' | 'ofShopper' | 'unsettled' | 'subscriptionsDue'>

const searches = (rows: Rows): Searches => ({
  async find(id) {
    const row = rows.find(id)
    return row ? recordOf(row) : null
  },
  async settledFor(shopper, productId, orderId) {
    const settled = rows
      .ofShopper(shopper)
      .filter((row) => row.claimedBy !== null && row.productId === productId)
    const isOthers = ({ renewedBy }: Row): number => Number(!renewedBy.has(orderId))
    settled.sort(
      (one, other) =>
        isOthers(one) - isOthers(other) || nextCheck(one) - nextCheck(other) || newestFirst(one, other),
    )
    return settled.slice(0, SETTLED_FOR_SHOPPER).map(recordOf)
  },
  ofShopper: async (shopper) =>
    newest(
      rows.ofShopper(shopper).filter(({ preloadedUntil }) => preloadedUntil === null),
      LISTED_FOR_SHOPPER,
    ),
  async unsettled({ from, to, limit, after }) {
    const isListed = (row: Row): boolean =>
      row.claimedBy === null &&
      row.preloadedUntil === null &&
      row.purchase.begunAt >= from &&
      row.purchase.begunAt < to &&
      (!after || newestFirst({ purchase: after }, row) < 0)
    return newest(rows.live().filter(isListed), limit)
  },
  async subscriptionsDue(at, limit) {
    const due = rows.live().filter(({ checkAt }) => checkAt !== null && checkAt <= at)
    due.sort((one, other) => Number(one.checkAt) - Number(other.checkAt))
    return due.slice(0, limit).map(recordOf)
  },
})

/** Finite, so that two can be subtracted. */
const nextCheck = ({ checkAt }: Row): number => checkAt ?? Number.MAX_VALUE

const newest = (rows: Row[], limit: number): PurchaseRecord[] =>
  rows.sort(newestFirst).slice(0, limit).map(recordOf)

const settlement = (
  rows: Rows,
  now: () => number,
): Pick<PurchaseRows, 'claim' | 'renew' | 'checkSubscriptionAt'> => ({
  async claim(id, orderId, { productId = null, payer = null, checkAt = null } = {}) {
    const row = rows.find(id)
    if (row?.claimedBy === null) {
      row.claimedBy = orderId
      row.preloadedUntil = null
      row.checkAt = checkAt
      row.keptUntil = now() + KEEP_SETTLED_MS
    }
    if (row?.claimedBy === orderId) Object.assign(row, { productId, payer: payer ?? row.payer })
    return row?.claimedBy ?? null
  },
  async renew(id, orderId, charges, checkAt = null) {
    const row = rows.find(id)
    if (!row || row.claimedBy === null) return false
    if (row.renewedBy.has(orderId)) return true
    if (row.renewedBy.size >= charges) return false
    row.renewedBy.add(orderId)
    row.checkAt = checkAt
    row.keptUntil = now() + KEEP_SETTLED_MS
    return true
  },
  async checkSubscriptionAt(id, checkAt, dueAt) {
    const row = rows.find(id)
    if (row?.checkAt === dueAt) row.checkAt = checkAt
  },
})

interface Dated {
  readonly purchase: Pick<Purchase, 'id' | 'begunAt'>
}

function newestFirst({ purchase: one }: Dated, { purchase: other }: Dated): number {
  if (one.begunAt !== other.begunAt) return other.begunAt - one.begunAt
  if (one.id === other.id) return 0
  return one.id < other.id ? 1 : -1
}

const recordOf = ({
  purchase,
  claimedBy,
  productId,
  payer,
  orders,
  checkAt,
  preloadedUntil,
}: Row): PurchaseRecord => ({
  purchase,
  claimedBy,
  productId,
  payer,
  checkAt,
  preloadedUntil,
  orders: [...orders.values()],
})
