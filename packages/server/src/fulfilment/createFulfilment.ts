/**
 * Calls `onOrder` for each state of each order. A webhook, a return or a poll only hints that something may have happened to an
 * order: the hint is written to the store, acknowledged, and the service is asked what the order is now.
 *
 * 1. Whoever hints, a job is added for the order. It stays until it is completed, also when the process that took it is killed.
 * 2. A worker reads the order and, under a lock, calls `onOrder` unless this state of it was handled. It has a deadline.
 * 3. A job that fails comes back after a while, twelve times within a day, and is then a dead letter.
 * 4. What unauthenticated callers hint, and what costs nobody anything, is only read, in a queue of its own that is small and slow; a real order goes to
 *    the other one.
 */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import type { ErrorContext } from '../errors.ts'
import type { OnOrder, PurchaseOfOrder } from '../purchase/purchase.ts'
import { readOrder, readOrdersOf } from '../purchase/readOrders.ts'
import { type DeadLetter, KEEP_HANDLED_MS, type QueueName, type Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { type Background, createBackground } from './background.ts'
import { CLAIM_EVERY_MS } from './queue.ts'
import { createQueues } from './queues.ts'
import { createReconciler, RECONCILE_EVERY_MS } from './reconcile.ts'
import { keyOf, type OrderHint } from './webhook.ts'

export interface FulfilmentOptions {
  client: Pick<PurchaseClient, 'transactions' | 'orders' | 'subscriptions'>
  tokens: TokenLease
  store: Store
  onOrder: OnOrder
  /** How an order fits its purchase. Called before `onOrder`, for orders that were not handled. */
  assess: (order: Order) => Promise<PurchaseOfOrder>
  /** Sees every failure that held up `onOrder`. Must not throw. */
  onError: (error: unknown, context?: ErrorContext) => void
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds that one `onOrder` may take before its job counts as failed. Default 30000. */
  onOrderTimeout?: number
}

export interface Fulfilment {
  /** Takes up what killed processes left behind, and starts the schedules. Cheap; call it for each request. */
  start(): void
  /** Resolves when the hint is recorded; false when there are too many of unauthenticated callers. Rejects when the store is gone. */
  syncOrder(hint: OrderHint, queue: QueueName): Promise<boolean>
  /**
   * Adds a job for each listed order whose present state has not been handled and is not being handled: paid ones to be delivered, the
   * others to be looked up. At most so many of one list. Rejects when the store is gone.
   */
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
  /** Resolves when nothing that is due is left to do here, in the queue of unauthenticated callers too if that is named. */
  idle(queue?: QueueName): Promise<void>
  /** For work that calls the store although nobody may wait for it any more: `close` does. */
  keep: Background['keep']
  /** Takes no new work, and resolves when what runs has ended. Hints are still recorded. */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 3_600_000
/** So that the first requests of a process have it for themselves. */
const FIRST_RECONCILE_MS = 1_000

export function createFulfilment(options: FulfilmentOptions): Fulfilment {
  const { client, tokens, store, onError, now, onOrderTimeout = 30_000 } = options
  const { jobs } = store
  const closing = new AbortController()
  const { signal } = closing
  const { keep, idle } = createBackground()
  const readAllOf = (customId: string): Promise<Order[]> => readOrdersOf(client, tokens, customId)
  const read = (orderId: string): Promise<Order | null> => readOrder(client, orderId)
  const queues = createQueues({ ...options, onOrderTimeout, read, readAllOf })
  const { all, whenDue } = createReconciler({
    ...{ client, store, readOrdersOf: readAllOf, addJobs, onError, now, signal },
  })
  let timers: NodeJS.Timeout[] | null = null

  const removeExpired = (): Promise<void> => keep(sweep({ store, now, signal }).catch(onError))
  const reconcileWhenDue = (): Promise<void> => keep(whenDue().catch(onError))

  function start(): void {
    if (timers || signal.aborted) return
    timers = [
      setInterval(queues.wake, CLAIM_EVERY_MS),
      setTimeout(reconcileWhenDue, FIRST_RECONCILE_MS),
      setInterval(reconcileWhenDue, RECONCILE_EVERY_MS),
      setTimeout(removeExpired, FIRST_RECONCILE_MS),
      setInterval(removeExpired, SWEEP_EVERY_MS),
    ]
    for (const timer of timers) timer.unref()
    queues.wake()
  }

  async function addJobs(orders: readonly OrderRecord[]): Promise<void> {
    await queues.addAll(orders)
    start()
  }

  return {
    start,
    async syncOrder(hint, queue) {
      const isAdded = await jobs.add(keyOf(hint), queue)
      start()
      queues.wake(queue)
      return isAdded
    },
    addJobs,
    async notice(orders) {
      await addJobs(orders).catch(onError)
    },
    async reconcile() {
      start()
      await keep(all())
      queues.wake()
      await removeExpired()
      await queues.idle()
    },
    deadLetters: {
      list: (limit = 100) => jobs.deadLetters(limit),
      async redrive(key) {
        const count = await jobs.redrive(key)
        queues.wake('trusted')
        return count
      },
    },
    idle: queues.idle,
    keep,
    async close() {
      closing.abort()
      for (const timer of timers ?? []) clearTimeout(timer)
      await queues.close()
      await idle()
    },
  }
}

interface SweepOptions {
  store: Pick<Store, 'purchases' | 'handled'>
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

/** Small, so that no write of a shopper's waits long for one of ours. */
const BATCH = 200
const PAUSE_MS = 50

/** Removes what nothing can ask for any more: expired purchases first, then the idempotency records of orders whose purchase is gone. */
export async function sweep({ store, now, signal }: SweepOptions): Promise<void> {
  const before = now() - KEEP_HANDLED_MS
  const removals = [() => store.purchases.sweep(BATCH), () => store.handled.sweep(before, BATCH)]
  for (const remove of removals) {
    while (!signal.aborted && (await remove()) === BATCH) await pause(PAUSE_MS)
  }
}
