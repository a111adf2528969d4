/** What is known of purchases, over rows that can be changed and a service that reads as it is told. */

import type { Purchase, PurchaseRecord, RecordedOrder } from '../../src/purchase/purchase.ts'
import { createReadStatus, type ReadStatusOptions } from '../../src/purchase/status.ts'
import { begunAt, purchaseOf } from './purchases.ts'

export type Reader = ReadStatusOptions['readOrders']

export const ada = { shopper: { customId: 'ada' }, formerly: [] }
export const eve = { shopper: { customId: 'eve' }, formerly: [] }
export const nothing = { status: 'none', state: null, order: null, returnUrl: null, begun: false }

/** Rows that can be changed, and a service that reads as it is told. `reads` is what was read. */
export function knowing(...rows: PurchaseRecord[]) {
  const reads: string[] = []
  const errors: unknown[] = []
  const read: Reader = async () => {}
  const world = {
    time: begunAt,
    rows,
    find: async (id: string): Promise<PurchaseRecord | null> =>
      world.rows.find(({ purchase }) => purchase.id === id) ?? null,
    read,
    reads,
    errors,
  }
  const known = createReadStatus({
    rows: { find: (id) => world.find(id) },
    readOrders(row) {
      world.reads.push(row.purchase.id)
      return world.read(row)
    },
    onError: (error) => void world.errors.push(error),
    now: () => world.time,
  })
  return { world, known }
}

export const rowOf = (
  orders: RecordedOrder[] = [],
  claimedBy: string | null = null,
  changes: Partial<Purchase> = {},
): PurchaseRecord => ({ purchase: purchaseOf(changes), claimedBy, preloadedUntil: null, orders })

/** A recorded order, by an id of which the first word is its type. */
export function knownOrderOf(id: string, state: RecordedOrder['state'] = 'matched'): RecordedOrder {
  const types: Record<string, string> = { paid: 'order_complete', declined: 'order_failed' }
  const type = types[id.split(' ')[0] ?? ''] ?? 'payment_started'
  return { id, type, state, summary: JSON.stringify({ id, type, decline: null }) }
}

/** Something that is waited for, and what ends it. */
export function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve = (_: T): void => {}
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

/** Lets everything go on that waits for nothing of ours. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
