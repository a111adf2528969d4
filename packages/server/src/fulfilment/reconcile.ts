/**
 * Finds orders that nobody has told of: reads, shopper by shopper, the orders of purchases that are not settled, and of subscriptions whose next
 * date has passed. Never the whole business, one read after the other, in one instance at a time.
 */

import { clearInterval, setInterval } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { OrderRecord } from '../client/wire.ts'
import { carriedId } from '../purchase/carrier.ts'
import type { Purchase, PurchaseRecord } from '../purchase/purchase.ts'
import { readingAs } from '../reads/reader.ts'
import type { Store } from '../stores/store.ts'
import type { FindLostRenewals } from './findLostRenewals.ts'

export interface ReconcileOptions {
  store: Pick<Store, 'get' | 'set' | 'withLock' | 'purchases'>
  readOrdersOf: (customId: string) => Promise<OrderRecord[]>
  addJobs: (orders: readonly OrderRecord[]) => Promise<void>
  findLostRenewals: FindLostRenewals
  onError: (error: unknown) => void
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

export interface Reconciler {
  /** Reads all of the last 24 hours and every subscription that is due, after what this instance reads now; nothing while another instance does so. */
  all(): Promise<void>
  /**
   * The same on a schedule: the last hour each time, all of the day once an hour, and some of the subscriptions. Nothing when another instance has just done so, and has
   * begun after this one was started: what a killed process left behind is older. Waits while another does so, or did until it was killed.
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
/** How often an instance checks whether another still reconciles. */
const CHECK_AGAIN_MS = 5_000

const RECENT = 'reconcile:hour'
const WHOLE = 'reconcile:day'

export function createReconciler(options: ReconcileOptions): Reconciler {
  const { store, readOrdersOf, addJobs, findLostRenewals, onError, now, signal } = options
  const inOneInstance = createOneInstance({ store, onError })
  const startedAt = now()
  let waiting: Promise<void> | null = null
  let turn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = turn.then(task)
    turn = run.catch(() => {})
    return run
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
        const customId = customIdOf(purchase)
        if (customId === undefined || seen.has(customId)) continue
        seen.add(customId)
        await readOrders(customId).catch(onError)
      }
      after = page.length === PAGE ? page.at(-1)?.purchase : undefined
    } while (after)
  }

  async function run(sinceMs: number, subscriptions: number): Promise<void> {
    await readingAs({ priority: 'background' }, async () => {
      await readUnsettled(sinceMs)
      await findLostRenewals(subscriptions)
    })
  }

  async function isDue(): Promise<boolean> {
    const begunAt = Number((await kept(store, RECENT, RECONCILE_EVERY_MS)) ?? Number.NEGATIVE_INFINITY)
    const passed = now() - begunAt
    return begunAt < startedAt || passed < 0 || passed >= RECONCILE_EVERY_MS * 0.8
  }

  /** Noted at its end, with when it began: one that was killed in the middle is no run. */
  async function recent(): Promise<void> {
    const begunAt = String(now())
    const isWhole = (await kept(store, WHOLE, WHOLE_EVERY_MS)) === null
    await run(isWhole ? DAY : HOUR, MOST_SUBSCRIPTIONS)
    if (signal.aborted) return
    await store.set(RECENT, begunAt, RECONCILE_EVERY_MS)
    if (isWhole) await store.set(WHOLE, begunAt, WHOLE_EVERY_MS)
  }

  async function untilDone(): Promise<void> {
    while (!signal.aborted && (await isDue()) && !(await inOneInstance(recent))) {
      await setTimeout(CHECK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  return {
    all: async () => void (await inTurn(() => inOneInstance(() => run(DAY, Number.POSITIVE_INFINITY)))),
    whenDue() {
      waiting ??= inTurn(untilDone).finally(() => {
        waiting = null
      })
      return waiting
    },
  }
}

/** Those with an order on its way first; else newest first, as the store gives them. */
const onTheirWayFirst = (page: readonly PurchaseRecord[]): PurchaseRecord[] => {
  const isOnItsWay = ({ orders }: PurchaseRecord): boolean =>
    orders.some(({ type }) => type !== 'order_failed')
  return [...page.filter(isOnItsWay), ...page.filter((record) => !isOnItsWay(record))]
}

/** What the service can be asked by. Without a `customId`, and with return addresses that carry the purchase, there is nothing. */
const customIdOf = (purchase: Purchase): string | undefined =>
  purchase.carrier === 'custom_id' ? carriedId(purchase) : purchase.shopper.customId

/** Runs the task. False while another instance runs one. */
export type RunInOneInstance = (task: () => Promise<void>) => Promise<boolean>

export interface OneInstanceOptions {
  store: Pick<Store, 'get' | 'set' | 'withLock'>
  onError: (error: unknown) => void
}

const RUNNING = 'reconcile:running'
/** How long a killed instance keeps others from it. A living one renews it. */
const HOLD_MS = 15_000

export function createOneInstance({ store, onError }: OneInstanceOptions): RunInOneInstance {
  /** True for the one instance that may go on. */
  const take = (): Promise<boolean> =>
    store.withLock('reconcile', async () => {
      if ((await kept(store, RUNNING, HOLD_MS)) === 'yes') return false
      await store.set(RUNNING, 'yes', HOLD_MS)
      return true
    })

  return async (task) => {
    if (!(await take())) return false
    const renewal = setInterval(() => store.set(RUNNING, 'yes', HOLD_MS).catch(onError), HOLD_MS / 3)
    try {
      await task()
    } finally {
      clearInterval(renewal)
      await store.set(RUNNING, 'no', 1)
    }
    return true
  }
}

/**
 * @param mostMs what the value was given to live.
 * @returns null also for one that has longer to live than that: the clock was set back, and it would stay for as long.
 */
export async function kept(store: Pick<Store, 'get'>, key: string, mostMs: number): Promise<string | null> {
  const stored = await store.get(key)
  return stored && (stored.ttlMs ?? Number.POSITIVE_INFINITY) <= mostMs ? stored.value : null
}
