/**
 * Finds orders that nobody has told of: reads, shopper by shopper, the orders of purchases that are not settled, and of subscriptions whose next
 * date has passed. Never the whole business, one read after the other, in one instance at a time.
 */

import { carriedId } from '../purchase/carrier.ts'
import type { Purchase, PurchaseRecord } from '../purchase/purchase.ts'
import { readingAs } from '../reads/turns.ts'
import type { Store } from '../stores/store.ts'
import { findLostRenewals, type LostRenewalsOptions } from './findLostRenewals.ts'

export interface ReconcileOptions extends LostRenewalsOptions {
  store: Pick<Store, 'get' | 'set' | 'tryLock' | 'purchases'>
}

export interface Reconciler {
  /** Reads all of the last 24 hours and every subscription that is due, after what this instance reads now; nothing while another instance does so. */
  all(): Promise<void>
  /**
   * The same on a schedule: the last hour each time, all of the day once an hour, and some of the subscriptions. Nothing when another instance does so, or
   * has just done so and has begun after this one was started: what a killed process left behind is older.
   */
  whenDue(): Promise<void>
}

export const RECONCILE_EVERY_MS = 300_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Half a turn less than an hour: at the turn that an hour ends with, it is over. */
const WHOLE_EVERY_MS = HOUR - RECONCILE_EVERY_MS / 2
const PAGE = 100
/** Subscriptions that one scheduled run checks, so that the next run is not kept waiting: some 80,000 a day. */
const MOST_SUBSCRIPTIONS = 300

const RECENT = 'reconcile:hour'
const WHOLE = 'reconcile:day'

export function createReconciler(options: ReconcileOptions): Reconciler {
  const { store, readOrdersOf, addJobs, onError, now, signal } = options
  const startedAt = now()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other here, and none while another instance is about it. */
  function alone(task: () => Promise<void>): Promise<void> {
    const run = turn.then(() => store.tryLock('reconcile', task))
    turn = run.catch(() => {})
    return run.then(() => {})
  }

  async function readOrders(customId: string): Promise<void> {
    const orders = await readOrdersOf(customId)
    if (!signal.aborted) await addJobs(orders)
  }

  async function readUnsettled(sinceMs: number): Promise<void> {
    const seen = new Set<string>()
    const to = now()
    const from = to - sinceMs
    let after: Purchase | undefined
    do {
      const page = await store.purchases.unsettled({ from, to, limit: PAGE, ...(after ? { after } : {}) })
      for (const { purchase } of onTheirWayFirst(page)) {
        if (signal.aborted) return
        const customId = carriedId(purchase)
        if (seen.has(customId)) continue
        seen.add(customId)
        await readOrders(customId).catch(onError)
      }
      after = page.length === PAGE ? page.at(-1)?.purchase : undefined
    } while (after)
  }

  async function run(sinceMs: number, subscriptions: number): Promise<void> {
    if (signal.aborted) return
    await readingAs({ priority: 'background' }, async () => {
      await readUnsettled(sinceMs)
      await findLostRenewals(options, subscriptions)
    })
  }

  /** Noted at its end, with when it began: one that was killed in the middle is no run. */
  async function scheduled(): Promise<void> {
    const last = await store.get(RECENT)
    if (last && Number(last.value) >= startedAt) return
    const begunAt = String(now())
    const isWhole = (await store.get(WHOLE)) === null
    await run(isWhole ? DAY : HOUR, MOST_SUBSCRIPTIONS)
    if (signal.aborted) return
    await store.set(RECENT, begunAt, RECONCILE_EVERY_MS * 0.8)
    if (isWhole) await store.set(WHOLE, begunAt, WHOLE_EVERY_MS)
  }

  return {
    all: () => alone(() => run(DAY, Number.POSITIVE_INFINITY)),
    whenDue: () => alone(scheduled),
  }
}

/** Those with an order on its way first; else newest first, as the store gives them. */
const onTheirWayFirst = (page: readonly PurchaseRecord[]): PurchaseRecord[] => {
  const isOnItsWay = ({ orders }: PurchaseRecord): boolean =>
    orders.some(({ type }) => type !== 'order_failed')
  return [...page.filter(isOnItsWay), ...page.filter((record) => !isOnItsWay(record))]
}
