/**
 * Finds orders that nobody has told of: reads, shopper by shopper, the orders of purchases that are not settled. Never the whole
 * business, at a bounded rate, in one instance at a time.
 */
import { setTimeout } from 'node:timers/promises'
import type { OrderRecord } from '../client/wire.ts'
import type { Purchase } from '../purchase/purchase.ts'
import type { Store } from '../stores/store.ts'

export interface ReconcileOptions {
  store: Pick<Store, 'get' | 'set' | 'withLock' | 'purchases'>
  readOrdersOf: (customId: string) => Promise<OrderRecord[]>
  notice: (orders: readonly OrderRecord[]) => Promise<void>
  onError: (error: unknown) => void
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

export interface Reconciler {
  /** Looks at all of the last 24 hours, unless another instance is about it. */
  all(): Promise<void>
  /** The same on a schedule: the last hour each time, all of the day once an hour, and nothing when another instance has just done so. */
  whenDue(): Promise<void>
}

export const RECONCILE_EVERY_MS = 300_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const PAGE = 100
/** Between two reads of the service. */
const PACE_MS = 200
/** How long a killed instance keeps others from it. */
const HOLD_MS = 60_000

const RUNNING = 'reconcile:running'
const RECENT = 'reconcile:hour'
const WHOLE = 'reconcile:day'

export function createReconciler(options: ReconcileOptions): Reconciler {
  const { store, readOrdersOf, notice, onError, now, signal } = options

  async function run(sinceMs: number): Promise<void> {
    const seen = new Set<string>()
    const to = now()
    const from = to - sinceMs
    let after: Purchase | undefined
    do {
      await store.set(RUNNING, 'yes', HOLD_MS)
      const page = await store.purchases.unsettled({ from, to, limit: PAGE, ...(after ? { after } : {}) })
      for (const { purchase } of page) {
        const customId = customIdOf(purchase)
        if (customId === undefined || seen.has(customId)) continue
        if (signal.aborted) return
        seen.add(customId)
        await readOrdersOf(customId).then(notice).catch(onError)
        await store.set(RUNNING, 'yes', HOLD_MS)
        await setTimeout(PACE_MS)
      }
      after = page.length === PAGE ? page.at(-1)?.purchase : undefined
    } while (after)
  }

  /** True for the one instance that may go on. */
  const take = (key: string, ttlMs: number): Promise<boolean> =>
    store.withLock('reconcile', async () => {
      if ((await store.get(key))?.value === 'yes') return false
      await store.set(key, 'yes', ttlMs)
      return true
    })

  async function alone(task: () => Promise<void>): Promise<void> {
    if (!(await take(RUNNING, HOLD_MS))) return
    try {
      await task()
    } finally {
      await store.set(RUNNING, 'no', 1)
    }
  }

  return {
    all: () => alone(() => run(DAY)),
    async whenDue() {
      if (!(await take(RECENT, RECONCILE_EVERY_MS * 0.8))) return
      const isWhole = await take(WHOLE, HOUR)
      await alone(() => run(isWhole ? DAY : HOUR))
    },
  }
}

/** What the service can be asked by. Without a `customId`, and with return addresses that carry the purchase, there is nothing. */
const customIdOf = ({ carrier, id, shopper }: Purchase): string | undefined =>
  carrier === 'custom_id' ? id : shopper.customId
