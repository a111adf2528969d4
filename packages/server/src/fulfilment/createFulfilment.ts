/**
 * Calls `onOrder` for each state of each order. A webhook, a return or a poll only hints that an order may have changed: the hint is
 * written to the store and acknowledged, and the order's present state is read from the service.
 *
 * 1. Every hint adds a job for the order. The job stays until it is completed, even if the process that claimed it is killed.
 * 2. A worker reads the order and, under a lock, calls `onOrder` unless this state was handled. It has a deadline.
 * 3. A failed job is retried after a delay, with twelve attempts within a day, and then becomes a dead letter.
 * 4. Hints of unauthenticated callers, and unpaid orders, are only looked up, in a small and slow queue of their own; an order that exists moves
 *    to the trusted queue.
 */
// Node's own timers, because they can be unreferenced, so that a process can exit, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import { type Background, createBackground, createExpiringMap } from '../deadline.ts'
import type { ErrorContext } from '../errors.ts'
import { likelyPaidFirst, listOrders, PAID, readOrder } from '../purchase/readOrders.ts'
import { type Priority, readingAs } from '../reads/turns.ts'
import type { DeadLetter, QueueName, Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { createDelivery, type DeliverOptions } from './deliver.ts'
import { CLAIM_EVERY_MS, createQueue, UnknownOrder } from './queue.ts'
import { createReconciler, RECONCILE_EVERY_MS } from './reconcile.ts'
import { keyOf, type OrderHint, seen, unproven } from './webhook.ts'

export interface FulfilmentOptions extends Pick<DeliverOptions, 'assess'> {
  /** Without it this process delivers nothing: the jobs stay for processes that have it, now or after the next deployment. */
  onOrder?: DeliverOptions['onOrder']

  client: Pick<PurchaseClient, 'transactions' | 'orders' | 'subscriptions'>
  tokens: TokenLease
  store: Store
  /** Receives every failure that delayed `onOrder`. Must not throw. */
  onError: (error: unknown, context?: ErrorContext) => void
  now: () => number
  /** Milliseconds that one `onOrder` may take before its job counts as failed. Default 30000. */
  onOrderTimeout?: number
}

export interface Fulfilment {
  /** Resumes jobs that killed processes left behind, and starts the schedules. Cheap; call it for each request. */
  start(): void
  /** Resolves when the hint is recorded; false when unauthenticated callers have added too many. Rejects when the store is unavailable. */
  syncOrder(hint: OrderHint, queue: QueueName): Promise<boolean>
  /**
   * Adds a job for each listed order whose present state has not been handled and is not being handled: paid ones to be delivered, the
   * others to be looked up. Limited for each list. Rejects when the store is unavailable.
   *
   * @param isNamed whether orders without a purchase are delivered too.
   */
  addJobs(orders: readonly OrderRecord[], isNamed?: boolean): Promise<void>
  /** The same, but never rejects. */
  notice(orders: readonly OrderRecord[]): Promise<void>
  /** Finds missed orders, and removes expired data. Resolves when the orders are handled. */
  reconcile(): Promise<void>
  deadLetters: {
    list(limit?: number): Promise<DeadLetter[]>
    /** Redrives one by its key, or all. Returns their number. */
    redrive(key?: string): Promise<number>
  }
  /** Resolves when no due job is left for this instance, in the unauthenticated queue too if that is named. */
  idle(queue?: QueueName): Promise<void>
  /** Tracks work that uses the store after its caller has gone: `close` waits for it. */
  keep: Background['keep']
  /** Starts no new work, and resolves when running work has ended. Hints are still recorded. */
  close(): Promise<void>
}

/** Delays the first run, so that it does not compete with the first requests of a process. */
const FIRST_RECONCILE_MS = 1_000

export function createFulfilment(options: FulfilmentOptions): Fulfilment {
  const { client, tokens, store, onError } = options
  const { jobs } = store
  const closing = new AbortController()
  const { signal } = closing
  const { keep, idle } = createBackground()
  const readOrdersOf = (customId: string): Promise<Order[]> => listOrders(client, tokens, customId)
  const queues = createQueues(options, readOrdersOf)
  const { all, whenDue } = createReconciler({ ...options, readOrdersOf, addJobs, signal })
  let timers: NodeJS.Timeout[] | null = null

  const reconcileWhenDue = (): Promise<void> => keep(whenDue().catch(onError))

  function start(): void {
    if (timers || signal.aborted) return
    timers = [
      setInterval(queues.wake, CLAIM_EVERY_MS),
      setTimeout(reconcileWhenDue, FIRST_RECONCILE_MS),
      setInterval(reconcileWhenDue, RECONCILE_EVERY_MS),
    ]
    for (const timer of timers) timer.unref()
    queues.wake()
  }

  async function addJobs(orders: readonly OrderRecord[], isNamed?: boolean): Promise<void> {
    await queues.addAll(orders, isNamed)
    start()
  }

  return {
    start,
    async syncOrder(hint, queue) {
      const isAdded = await jobs.add(keyOf(queue === 'trusted' ? hint : unproven(hint)), queue)
      start()
      queues.wake(queue)
      return isAdded
    },
    addJobs,
    notice: (orders) => addJobs(orders).catch(onError),
    async reconcile() {
      start()
      await keep(all())
      queues.wake()
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

const WORKERS = 16
/** Two workers, each with at most one job every 400 ms: lookups here cost the service at most five reads a second. */
const UNAUTHENTICATED = { workers: 2, paceMs: 400 }

/** A queue of trusted hints, and one of lookups: hints of unauthenticated callers, and unpaid orders that were found in lists. */
function createQueues(options: FulfilmentOptions, readAllOf: (customId: string) => Promise<Order[]>) {
  const { client, store, onError, onOrder, onOrderTimeout = 30_000 } = options
  const { jobs } = store
  const found = createFoundOrders(store)
  const read = (orderId: string): Promise<Order | null> => readOrder(client, orderId)
  const deliver = createDelivery({ onOrder() {}, ...options, onOrderTimeout, read, onSeen: found.remember })

  /** @param isNamed whether a webhook with the key has named the shopper: then orders without a purchase are delivered too. */
  async function addAll(orders: readonly OrderRecord[], isNamed = false): Promise<void> {
    await found.addAll(orders, isNamed)
    wake()
  }

  async function addAllOf(customId: string, isNamed: boolean): Promise<void> {
    const orders = await readAllOf(customId)
    await addAll(orders, isNamed)
    if (orders.length === 0) throw new UnknownOrder()
  }

  const trusted = createQueue({
    ...{ name: 'trusted', jobs, workers: onOrder ? WORKERS : 0, paceMs: 0, onError },
    handle: (hint, onLateFailure) =>
      readingFor('listed' in hint ? 'fulfilment' : 'webhook', () =>
        'order_id' in hint ? deliver(hint, onLateFailure) : addAllOf(hint.custom_id, true),
      ),
  })
  const unauthenticated = createQueue({
    ...{ name: 'unauthenticated', jobs, ...UNAUTHENTICATED, onError },
    handle: (hint) =>
      readingFor('background', async () => {
        if ('custom_id' in hint) return addAllOf(hint.custom_id, false)
        const order = await read(hint.order_id)
        if (!order) throw new UnknownOrder()
        await found.promote(order, !hint.listed)
        trusted.wake()
      }),
  })

  function wake(queue?: QueueName): void {
    if (queue !== 'unauthenticated') trusted.wake()
    if (queue !== 'trusted') unauthenticated.wake()
  }

  return {
    addAll,
    wake,
    async idle(queue: QueueName = 'trusted'): Promise<void> {
      if (queue === 'unauthenticated') await unauthenticated.idle()
      await trusted.idle()
    },
    close: () => Promise.all([trusted.close(), unauthenticated.close()]),
  }
}

/** A job belongs to no request, whichever request has woken its queue. */
const readingFor = <T>(priority: Priority, task: () => T): T => readingAs({ priority, network: '' }, task)

/** How many orders of one list get a job, and how many are checked for it. */
const MAX_ADDED = 20
const MAX_CHECKED = 100
/** After this time a poll adds a job again. The job's own retries continue meanwhile. */
const REMEMBERED = { max: 10_000, ttlMs: 600_000 }

/** Decides which orders get a job, of those that were found in a list or named by an unauthenticated caller. */
function createFoundOrders({ jobs, handled }: Pick<Store, 'jobs' | 'handled'>) {
  /** By id: the state that `onOrder` is called with, or that was skipped, since the order has no purchase. A poll need not add it again. */
  const known = createExpiringMap<{ type: string; isSkipped: boolean }>(REMEMBERED)

  async function needsJob(id: string, type: string | undefined, isNamed: boolean): Promise<boolean> {
    if (type === undefined) return true
    const last = known.get(id)
    if (last?.type === type && !(last.isSkipped && isNamed)) return false
    return !(await handled.has(id, type))
  }

  /** @returns whether it needed a job. */
  async function add({ id, type }: OrderRecord, isNamed: boolean, queue: QueueName): Promise<boolean> {
    if (id === undefined || !(await needsJob(id, type, isNamed))) return false
    await jobs.add(keyOf(seen(id, type, !isNamed)), queue)
    return true
  }

  return {
    async addAll(orders: readonly OrderRecord[], isNamed: boolean): Promise<void> {
      let added = 0
      for (const order of likelyPaidFirst(orders).slice(0, MAX_CHECKED)) {
        if (await add(order, isNamed, order.type === PAID ? 'trusted' : 'unauthenticated')) added++
        if (added === MAX_ADDED) return
      }
    },
    /** Moves an order that exists to the trusted queue, for delivery. */
    promote: (order: Order, isNamed: boolean) => add(order, isNamed, 'trusted'),
    remember: (({ id, type }, isSkipped) =>
      void known.set(id, { type, isSkipped })) satisfies DeliverOptions['onSeen'],
  }
}
