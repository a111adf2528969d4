/** The store for tests and for trying things out: one process, and nothing survives it. */

import { processLocks } from './locks.ts'
import { memoryJobs } from './memory/jobs.ts'
import { memoryPurchases } from './memory/purchases.ts'
import type { Handled, SharedState, Store } from './store.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/**
 * This process's memory. A restart forgets purchases that were begun, webhooks that were acknowledged, and what `onOrder` has
 * handled.
 *
 * @param options `now`: milliseconds since 1970, by default `Date.now`.
 */
export function memoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const purchases = memoryPurchases(now)
  return {
    ...memoryShared(now),
    forgets: true,
    purchases,
    jobs: memoryJobs(now),
    handled: memoryHandled(async (id) => (await purchases.find(id)) !== null, now),
    async close() {},
  }
}

/** Values and locks. */
function memoryShared(now: () => number): SharedState {
  const values = new Map<string, { value: string; endsAt: number | null }>()

  return {
    async get(key) {
      const entry = values.get(key)
      if (!entry) return null
      const ttlMs = entry.endsAt === null ? null : entry.endsAt - now()
      if (ttlMs === null || ttlMs > 0) return { value: entry.value, ttlMs }
      values.delete(key)
      return null
    },
    async set(key, value, ttlMs) {
      values.set(key, { value, endsAt: ttlMs === null ? null : now() + ttlMs })
    },
    ...processLocks(),
  }
}

/** @param hasPurchase whether a purchase has a row. */
function memoryHandled(hasPurchase: (id: string) => Promise<boolean>, now: () => number): Handled {
  /** In the order in which they were added. */
  const records = new Map<string, { purchaseId: string | null; addedAt: number }>()
  const keyOf = (orderId: string, type: string): string => JSON.stringify([orderId, type])

  return {
    async has(orderId, type) {
      return records.has(keyOf(orderId, type))
    },
    async add({ orderId, type, purchaseId }) {
      const key = keyOf(orderId, type)
      if (records.has(key)) return false
      records.set(key, { purchaseId, addedAt: now() })
      return true
    },
    async sweep(before, limit) {
      let removed = 0
      for (const [key, { purchaseId, addedAt }] of records) {
        if (removed === limit || addedAt >= before) break
        if (purchaseId !== null && (await hasPurchase(purchaseId))) continue
        records.delete(key)
        removed++
      }
      return removed
    },
  }
}
