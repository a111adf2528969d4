/** The store for tests and for trying things out: one process, and nothing survives it. */
import { memoryHandled } from './memory/handled.ts'
import { memoryJobs } from './memory/jobs.ts'
import { memoryPurchases } from './memory/purchases.ts'
import { memoryShared } from './memory/shared.ts'
import type { Store } from './store.ts'

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
export function memoryStore({ now = Date.now }: { now?: () => number } = {}): Store {
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
