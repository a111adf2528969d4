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
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import { createExpiringMap } from '../deadline.ts'
import type { ErrorContext } from '../errors.ts'
import type { OnOrder, PurchaseOfOrder } from '../purchase/purchase.ts'
import { likelyPaidFirst, PAID, readOrder, readOrdersOf } from '../purchase/readOrders.ts'
import { type Priority, readingAs } from '../reads/turns.ts'
import type { DeadLetter, QueueName, Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { type Background, createBackground } from './background.ts'
import { createDelivery, type DeliverOptions } from './deliver.ts'
import { CLAIM_EVERY_MS, createQueue, UnknownOrder } from './queue.ts'
import { createReconciler, RECONCILE_EVERY_MS, sweep } from './reconcile.ts'
import { keyOf, type OrderHint, seen } from './webhook.ts'

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
  const { client, tokens, store, onError, now } = options
  const { jobs } = store
  const closing = new AbortController()
  const { signal } = closing
  const { keep, idle } = createBackground()
  const readAllOf = (customId: string): Promise<Order[]> => readOrdersOf(client, tokens, customId)
  const queues = createQueues(options, readAllOf)
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
    notice: (orders) => addJobs(orders).catch(onError),
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

const WORKERS = 16
/** Two at a time, each at most every 400 ms: what is looked up here costs at most five reads of the service a second. */
const UNAUTHENTICATED = { workers: 2, paceMs: 400 }

interface Queues extends Pick<Fulfilment, 'idle' | 'close'> {
  /** What `Fulfilment.addJobs` says. */
  addAll(orders: readonly OrderRecord[]): Promise<void>
  /** Has one queue, or both, look for jobs that are due. */
  wake(queue?: QueueName): void
}

/** One of those that are trusted, and one of what is only read: hints of unauthenticated callers, and unpaid orders that were found in lists. */
function createQueues(options: FulfilmentOptions, readAllOf: (customId: string) => Promise<Order[]>): Queues {
  const { client, store, onError, onOrderTimeout = 30_000 } = options
  const { jobs } = store
  const found = createFoundOrders(store)
  const read = (orderId: string): Promise<Order | null> => readOrder(client, orderId)
  const deliver = createDelivery({ ...options, onOrderTimeout, read, onSeen: found.remember })

  /** @param isNamed whether a webhook with the key has named the shopper: then orders of no purchase are delivered too. */
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
    ...{ name: 'trusted', jobs, workers: WORKERS, paceMs: 0, onError },
    handle: (hint) =>
      readingFor('listed' in hint ? 'fulfilment' : 'webhook', () =>
        'order_id' in hint ? deliver(hint) : addAllOf(hint.custom_id, true),
      ),
  })
  const unauthenticated = createQueue({
    ...{ name: 'unauthenticated', jobs, ...UNAUTHENTICATED, onError },
    handle: (hint) =>
      readingFor('background', async () => {
        if ('custom_id' in hint) return addAllOf(hint.custom_id, false)
        const order = await read(hint.order_id)
        if (!order) throw new UnknownOrder()
        await found.promote(order, hint.listed === true)
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
    async idle(queue = 'trusted') {
      if (queue === 'unauthenticated') await unauthenticated.idle()
      await trusted.idle()
    },
    async close() {
      await Promise.all([trusted.close(), unauthenticated.close()])
    },
  }
}

/** A job is nobody's request, whichever request has woken its queue. */
const readingFor = <T>(priority: Priority, task: () => T): T => readingAs({ priority, network: '' }, task)

/** Orders of one list that jobs are added for, and that are checked for it. */
const MOST_ADDED = 20
const MOST_CHECKED = 100
/** After so long a poll counts again. The job's own retries go on meanwhile. */
const REMEMBERED = { max: 10_000, ttlMs: 600_000 }

/** Which orders become jobs, of those that were found: in a list, or behind the hint of somebody who is not trusted. */
function createFoundOrders({ jobs, handled }: Pick<Store, 'jobs' | 'handled'>) {
  /** By id: the state that `onOrder` is called for, or that was skipped, since no purchase is on the order. A poll need not add it again. */
  const known = createExpiringMap<{ type: string; isSkipped: boolean }>(REMEMBERED)

  async function needsJob(id: string, type: string | undefined, isNamed: boolean): Promise<boolean> {
    if (type === undefined) return true
    const last = known.get(id)
    if (last?.type === type && !(last.isSkipped && isNamed)) return false
    return !(await handled.has(id, type))
  }

  return {
    async addAll(orders: readonly OrderRecord[], isNamed: boolean): Promise<void> {
      let added = 0
      for (const { id, type } of likelyPaidFirst(orders).slice(0, MOST_CHECKED)) {
        if (added === MOST_ADDED) return
        if (id === undefined || !(await needsJob(id, type, isNamed))) continue
        await jobs.add(keyOf(seen(id, type, !isNamed)), type === PAID ? 'trusted' : 'unauthenticated')
        added++
      }
    },
    /** Passes on an order that there is, to be delivered. */
    async promote({ id, type }: Order, isListed: boolean): Promise<void> {
      if (await needsJob(id, type, !isListed)) await jobs.add(keyOf(seen(id, type, isListed)), 'trusted')
    },
    remember: (({ id, type }, isSkipped) =>
      void known.set(id, { type, isSkipped })) satisfies DeliverOptions['onSeen'],
  }
}
