/**
 * Finds missed orders: reads, shopper by shopper, the orders of unsettled purchases, and of settled ones whose
 * date has passed. It never reads the whole business, and makes one read after the other, in one instance at a time. Each run then
 * removes expired data.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { carriedId } from '../purchase/carrier.ts'
import type { Purchase, PurchaseRecord } from '../purchase/purchase.ts'
import { readingAs } from '../reads/turns.ts'
import { KEEP_HANDLED_MS, type Store } from '../stores/store.ts'
import { type CheckOptions, findLostRenewals } from './lostRenewals.ts'

export interface ReconcileOptions extends CheckOptions {
  store: Pick<Store, 'get' | 'set' | 'tryLock' | 'purchases' | 'sweep'>
}

export interface Reconciler {
  /**
   * Reads what may have been paid since the last whole run, and every due subscription, after any run of this instance; does nothing while
   * another instance reconciles.
   *
   * A whole run counts as the last one only if it read the orders of all its purchases: otherwise the next one, an hour later, reaches back as
   * far again, and so on. A purchase that can never be read delays that for as long as the store keeps unsettled purchases, which also
   * limits how many a run reads. Once a day a whole run then reads all older ones too: a bank may take days to pay, and a shopper may pay late. A
   * subscription that cannot be read does not count: it has a date of its own for the next try.
   */
  all(): Promise<void>
  /**
   * The same on a schedule: the last hour each time, the whole once an hour, and some of the subscriptions. Does nothing while another instance
   * reconciles, or if one has just done so in a run that began after this instance started: what a killed process left behind is older.
   */
  whenDue(): Promise<void>
}

export const RECONCILE_EVERY_MS = 300_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** An order may be paid until its purchase's `validFor` has passed, 24 hours at most, and takes a while to be processed. */
const LONGEST_PURCHASE_MS = 25 * HOUR
/** Half an interval less than an hour, so that the run at the end of the hour is a whole one. */
const WHOLE_EVERY_MS = HOUR - RECONCILE_EVERY_MS / 2
/** The same for the run at the end of the day. */
const ALL_AGES_EVERY_MS = DAY - RECONCILE_EVERY_MS / 2
const PAGE = 100
/** Most subscriptions that one scheduled run checks, so as not to delay the next run: some 80,000 a day. */
const MAX_SUBSCRIPTIONS = 300

/** When the last scheduled run began. */
const RECENT = 'reconcile:hour'
/** Present while no whole run is due. */
const TRIED = 'reconcile:tried'
/** When the last complete whole run began. */
const WHOLE = 'reconcile:whole'
/** Present while every older unsettled purchase has been read within the last day. */
const ALL_AGES = 'reconcile:day'

export function createReconciler(options: ReconcileOptions): Reconciler {
  const { store, now, signal } = options
  const startedAt = now()
  let turn: Promise<unknown> = Promise.resolve()

  /** Runs tasks one after another here, and none while another instance reconciles. */
  function alone(task: () => Promise<void>): Promise<void> {
    const run = turn.then(() => store.tryLock('reconcile', task))
    turn = run.catch(() => {})
    return run.then(() => {})
  }

  /** @returns whether every purchase in this span was read. */
  const run = (from: number, subscriptions: number): Promise<boolean> =>
    readingAs({ priority: 'background' }, async () => {
      // First, and bounded: a shop with many purchases and deployments may never get through the unsettled ones.
      await findLostRenewals(options, MAX_SUBSCRIPTIONS)
      const isComplete = !signal.aborted && (await readUnsettled(options, from, now()))
      await findLostRenewals(options, subscriptions - MAX_SUBSCRIPTIONS)
      await sweep(options).catch(options.onError)
      return isComplete && !signal.aborted
    })

  async function runWhole(subscriptions: number): Promise<void> {
    const begunAt = now()
    const from = (await lastWhole()) - LONGEST_PURCHASE_MS
    const isComplete = await run(from, subscriptions)
    const left = (ms: number): number => Math.max(1, begunAt + ms - now())
    // Its start time, at its end: a run that was killed midway does not count.
    if (isComplete) await store.set(WHOLE, String(begunAt), null)
    // The older ones last: there may be more than a process lives to read.
    const isDue = !signal.aborted && !(await store.get(ALL_AGES))
    if (isDue && (from > 0 ? await readOlder(from) : isComplete))
      await store.set(ALL_AGES, String(begunAt), left(ALL_AGES_EVERY_MS))
    if (!signal.aborted) await store.set(TRIED, String(begunAt), left(WHOLE_EVERY_MS))
  }

  const readOlder = (to: number): Promise<boolean> =>
    readingAs(
      { priority: 'background' },
      async () => (await readUnsettled(options, 0, to)) && !signal.aborted,
    )

  /** When the last complete whole run began; 0 without one, or if it has the time of a clock that was set back. */
  async function lastWhole(): Promise<number> {
    const last = Number((await store.get(WHOLE))?.value ?? 0)
    return last <= now() ? last : 0
  }

  async function scheduled(): Promise<void> {
    const recent = await store.get(RECENT)
    if (recent && Number(recent.value) >= startedAt) return
    const begunAt = now()
    if (await store.get(TRIED)) await run(begunAt - HOUR, MAX_SUBSCRIPTIONS)
    else await runWhole(MAX_SUBSCRIPTIONS)
    if (!signal.aborted) await store.set(RECENT, String(begunAt), RECONCILE_EVERY_MS * 0.8)
  }

  return {
    all: () => alone(() => runWhole(Number.POSITIVE_INFINITY)),
    whenDue: () => alone(scheduled),
  }
}

/**
 * Reads the orders of unsettled purchases that were created at `from` or later and before `to`, of each shopper once.
 *
 * @returns whether every read succeeded.
 */
async function readUnsettled(
  { store, readOrdersOf, addJobs, onError, signal }: ReconcileOptions,
  from: number,
  to: number,
): Promise<boolean> {
  const seen = new Set<string>()
  let isComplete = true
  let after: Purchase | undefined
  do {
    const page = await store.purchases.unsettled({ from, to, limit: PAGE, ...(after ? { after } : {}) })
    for (const { purchase } of pendingFirst(page)) {
      if (signal.aborted) return false
      const customId = carriedId(purchase)
      if (seen.has(customId)) continue
      seen.add(customId)
      try {
        const orders = await readOrdersOf(customId)
        if (!signal.aborted) await addJobs(orders)
      } catch (error) {
        isComplete = false
        onError(error)
      }
    }
    after = page.length === PAGE ? page.at(-1)?.purchase : undefined
  } while (after)
  return isComplete
}

/** Purchases with a pending order first; else newest first, as the store returns them. */
const pendingFirst = (page: readonly PurchaseRecord[]): PurchaseRecord[] => {
  const mayBePending = ({ orders }: PurchaseRecord): boolean =>
    orders.some(({ type }) => type !== 'order_failed')
  return [...page.filter(mayBePending), ...page.filter((record) => !mayBePending(record))]
}

/** Small, so that no shopper's write waits long for one of ours. */
const BATCH = 200
const PAUSE_MS = 50

/** Removes data that nothing can ask for any more. */
export async function sweep({
  store,
  signal,
}: {
  store: Pick<Store, 'sweep'>
  signal: AbortSignal
}): Promise<void> {
  while (!signal.aborted && (await store.sweep(BATCH, KEEP_HANDLED_MS)) === BATCH) await pause(PAUSE_MS)
}
