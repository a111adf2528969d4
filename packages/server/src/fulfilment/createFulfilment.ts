/**
 * Calls `onOrder` for each state of each order. A webhook, a return or a poll only hints that something may have happened to an
 * order: the hint is written to the store, acknowledged, and the service is asked what the order is now.
 *
 * 1. Whoever hints, a job is added for the order. It stays until it is completed, also when the process that took it is killed.
 * 2. A worker reads the order and, under a lock, calls `onOrder` unless this state of it was handled. It has a deadline.
 * 3. A job that fails comes back after a while, twelve times within a day, and is then a dead letter.
 * 4. What strangers hint is only looked up, in a lane of its own that is small and slow; a real order goes to the other lane.
 */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import type { OnOrder, PurchaseOfOrder } from '../purchase/purchase.ts'
import type { DeadLetter, Lane, Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { AROUND_MS, createDelivery } from './deliver.ts'
import { keyOf, type OrderHint } from './hint.ts'
import { createLane, LOOK_EVERY_MS } from './lane.ts'
import { readOrder, readOrdersOf } from './lookUp.ts'
import { createReconciler, RECONCILE_EVERY_MS } from './reconcile.ts'
import { createUnderway } from './underway.ts'

export interface FulfilmentOptions {
  client: Pick<PurchaseClient, 'transactions' | 'orders'>
  tokens: TokenLease
  store: Store
  onOrder: OnOrder
  /** How an order fits its purchase. Called before `onOrder`, for orders that were not handled. */
  assess: (order: Order) => Promise<PurchaseOfOrder>
  /** Sees every failure that held up `onOrder`. Must not throw. */
  onError: (error: unknown) => void
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds that one `onOrder` may take before its job counts as failed. Default 30000. */
  onOrderTimeout?: number
}

export interface Fulfilment {
  /** Takes up what killed processes left behind, and starts the schedules. Cheap; call it for each request. */
  start(): void
  /** Resolves when the hint is recorded; false when there are too many from strangers. Rejects when the store is gone. */
  look(hint: OrderHint, lane: Lane): Promise<boolean>
  /** Adds a job for each order whose present state has not been handled and is not being handled. Rejects when the store is gone. */
  addJobs(orders: readonly OrderRecord[]): Promise<void>
  /** The same, and never rejects. */
  notice(orders: readonly OrderRecord[]): Promise<void>
  /** Looks for orders that were missed. Resolves when they are handled. */
  reconcile(): Promise<void>
  deadLetters: {
    list(limit?: number): Promise<DeadLetter[]>
    /** One by its key, or all. Gives their number. */
    redrive(key?: string): Promise<number>
  }
  /** Resolves when nothing that is due is left to do here, in the lane of strangers too if that is named. */
  idle(lane?: Lane): Promise<void>
  /** Takes no new work, and resolves when what runs has ended. Hints are still recorded. */
  close(): Promise<void>
}

const WORKERS = 16
/** Two at a time, each at most every 400 ms: strangers cost at most five reads of the service a second. */
const STRANGER_WORKERS = 2
const STRANGER_PACE_MS = 400
/** So that the first requests of a process have it for themselves. */
const FIRST_RECONCILE_MS = 1_000

export function createFulfilment(options: FulfilmentOptions): Fulfilment {
  const { client, tokens, store, onError, now, onOrderTimeout = 30_000 } = options
  const { jobs, handled } = store
  const closing = new AbortController()
  const underway = createUnderway(now)
  const timers: NodeJS.Timeout[] = []

  const deliver = createDelivery({
    ...options,
    onOrderTimeout,
    read: (orderId) => readOrder(client, orderId),
    onProgress: underway.note,
  })
  const common = { jobs, holdMs: onOrderTimeout + AROUND_MS + 5_000, onError }
  const trusted = createLane({
    ...common,
    name: 'trusted',
    workers: WORKERS,
    paceMs: 0,
    handle: (hint) => ('order_id' in hint ? deliver(hint.order_id) : noticeAllOf(hint.custom_id)),
  })
  const stranger = createLane({
    ...common,
    name: 'stranger',
    workers: STRANGER_WORKERS,
    paceMs: STRANGER_PACE_MS,
    handle: async (hint) => {
      if (!('order_id' in hint)) return noticeAllOf(hint.custom_id)
      const order = await readOrder(client, hint.order_id)
      if (order) await addJobs([order])
      return order !== null
    },
  })
  const lanes = { trusted, stranger }
  const { all, whenDue } = createReconciler({
    store,
    readOrdersOf: (customId) => readOrdersOf(client, tokens, customId),
    notice: addJobs,
    onError,
    now,
    signal: closing.signal,
  })

  async function noticeAllOf(customId: string): Promise<boolean> {
    const orders = await readOrdersOf(client, tokens, customId)
    await addJobs(orders)
    return orders.length > 0
  }

  async function addJobs(orders: readonly OrderRecord[]): Promise<void> {
    for (const { id, type } of orders) {
      if (id === undefined) continue
      if (type !== undefined && (underway.has(id, type) || (await handled.has(id, type)))) continue
      await jobs.add(keyOf({ order_id: id }), 'trusted')
    }
    start()
    trusted.wake()
  }

  function wake(): void {
    trusted.wake()
    stranger.wake()
  }

  function reconcileWhenDue(): void {
    whenDue().catch(onError)
  }

  function start(): void {
    if (timers.length > 0 || closing.signal.aborted) return
    timers.push(
      setInterval(wake, LOOK_EVERY_MS),
      setTimeout(reconcileWhenDue, FIRST_RECONCILE_MS),
      setInterval(reconcileWhenDue, RECONCILE_EVERY_MS),
    )
    for (const timer of timers) timer.unref()
    wake()
  }

  async function idle(lane: Lane = 'trusted'): Promise<void> {
    if (lane === 'stranger') await stranger.idle()
    await trusted.idle()
  }

  return {
    start,
    async look(hint, lane) {
      const isAdded = await jobs.add(keyOf(hint), lane)
      start()
      lanes[lane].wake()
      return isAdded
    },
    addJobs,
    async notice(orders) {
      await addJobs(orders).catch(onError)
    },
    async reconcile() {
      start()
      await all()
      wake()
      await idle()
    },
    deadLetters: {
      list: (limit = 100) => jobs.deadLetters(limit),
      async redrive(key) {
        const count = await jobs.redrive(key)
        trusted.wake()
        return count
      },
    },
    idle,
    async close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([trusted.close(), stranger.close()])
    },
  }
}
