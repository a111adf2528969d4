/** The rows of purchases in memory: by id, in the order in which they were begun, and each shopper's beside it. */
import type { RecordedOrder, PurchaseRecord, Purchase } from '../../purchase/purchase.ts'
import {
  isByLink,
  isByOtherSite,
  KEEP_PRELOADED_MS,
  KEEP_UNTRIED_MS,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  shopperKey,
} from '../store.ts'

export interface PurchaseRow {
  readonly purchase: Purchase
  claimedBy: string | null
  /** Orders that have a charge of the purchase's subscription. */
  readonly renewedBy: Set<string>
  /** By id, in the order in which they were first recorded. */
  readonly orders: Map<string, RecordedOrder>
  /** When to check its subscription; null: never. */
  checkAt: number | null
  keptUntil: number
  preloadedUntil: number | null
}

export interface RowsInMemory {
  /** Adds a row, unless there is one of this id. One of the shopper's may be evicted. */
  add(purchase: Purchase): void
  /** Makes a preloaded row one like any other. */
  open(id: string): void
  /** Undefined for an unknown id, and for a row that has expired. */
  find(id: string): PurchaseRow | undefined
  all(): PurchaseRow[]
  ofShopper(shopper: string): PurchaseRow[]
  /** Removes at most so many rows that have expired; gives their number. */
  sweep(limit: number): number
}

const SWEEP_EVERY_MS = 60_000

export function rowsInMemory(now: () => number): RowsInMemory {
  const rows = new Map<string, PurchaseRow>()
  const byShopper = new Map<string, Set<PurchaseRow>>()
  let sweepAt = now() + SWEEP_EVERY_MS

  const isLive = (row: PurchaseRow): boolean => row.keptUntil > now()

  function find(id: string): PurchaseRow | undefined {
    const row = rows.get(id)
    return row && isLive(row) ? row : undefined
  }

  function remove(row: PurchaseRow): void {
    const key = shopperKey(row.purchase.shopper)
    const ofShopper = byShopper.get(key)
    rows.delete(row.purchase.id)
    ofShopper?.delete(row)
    if (ofShopper?.size === 0) byShopper.delete(key)
  }

  function evict(ofShopper: Set<PurchaseRow>, added: PurchaseRow): void {
    const most = isByOtherSite(added.purchase) ? PURCHASES_BY_OTHER_SITES : PURCHASES_PER_SHOPPER
    const others = [...ofShopper].filter(
      (row) => row !== added && row.claimedBy === null && kindOf(row) === kindOf(added),
    )
    if (kindOf(added) === 'preloaded') {
      const { product_id } = added.purchase.params
      for (const row of others) if (row.purchase.params.product_id === product_id) remove(row)
      return
    }
    others.sort((one, other) => tries(other) - tries(one) || inOrder(other, one))
    for (const row of others.slice(most - 1)) remove(row)
  }

  function sweep(limit: number): number {
    const expired = [...rows.values()].filter((row) => !isLive(row)).slice(0, limit)
    for (const row of expired) remove(row)
    sweepAt = now() + SWEEP_EVERY_MS
    return expired.length
  }

  return {
    add(purchase) {
      if (now() >= sweepAt) sweep(rows.size)
      if (rows.has(purchase.id)) return
      const row = newRow(purchase)
      const key = shopperKey(purchase.shopper)
      const ofShopper = byShopper.get(key) ?? new Set()
      rows.set(purchase.id, row)
      byShopper.set(key, ofShopper.add(row))
      evict(ofShopper, row)
    },
    open(id) {
      const row = find(id)
      if (!row || row.preloadedUntil === null) return
      row.preloadedUntil = null
      row.keptUntil = Math.max(row.keptUntil, row.purchase.validUntil + KEEP_UNTRIED_MS)
      evict(byShopper.get(shopperKey(row.purchase.shopper)) ?? new Set(), row)
    },
    find,
    all: () => [...rows.values()].filter(isLive),
    ofShopper: (shopper) => [...(byShopper.get(shopper) ?? [])].filter(isLive),
    sweep,
  }
}

function newRow(purchase: Purchase): PurchaseRow {
  const preloadedUntil = purchase.preload ? purchase.begunAt + KEEP_PRELOADED_MS : null
  return {
    purchase,
    claimedBy: null,
    renewedBy: new Set(),
    orders: new Map(),
    checkAt: null,
    keptUntil: preloadedUntil ?? purchase.validUntil + KEEP_UNTRIED_MS,
    preloadedUntil,
  }
}

/** What another site opened is as any other link once it has an order. */
function kindOf(row: PurchaseRow): 'page' | 'link' | 'other_site' | 'preloaded' {
  if (row.preloadedUntil !== null) return 'preloaded'
  if (!isByLink(row.purchase)) return 'page'
  return isByOtherSite(row.purchase) && tries(row) === 0 ? 'other_site' : 'link'
}

/** Whether there has been an order: 1 or 0. */
const tries = ({ orders }: PurchaseRow): number => Math.sign(orders.size)

interface Begun {
  readonly purchase: Pick<Purchase, 'id' | 'begunAt'>
}

/** Oldest first. */
export function inOrder({ purchase: one }: Begun, { purchase: other }: Begun): number {
  if (one.begunAt !== other.begunAt) return one.begunAt - other.begunAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

export const recordOf = ({ purchase, claimedBy, orders, preloadedUntil }: PurchaseRow): PurchaseRecord => ({
  purchase,
  claimedBy,
  preloadedUntil,
  orders: [...orders.values()],
})
