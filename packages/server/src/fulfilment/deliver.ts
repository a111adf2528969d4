/**
 * Takes one order to `onOrder`: as the service says it is now, unless this state of it was handled. One call at a time, but for one that
 * has not settled by its deadline: the next does not wait for it.
 */
import type { Order } from '../client/wire.ts'
import { startDeadline } from '../deadline.ts'
import { InvalidInputError, PurchaseError, TimeoutError } from '../errors.ts'
import type { Complete, OnOrder, PurchaseOfOrder } from '../purchase/purchase.ts'
import type { Handled, IdempotencyRecord, Store } from '../stores/store.ts'
import { FailedAfterCommit } from './attempts.ts'
import type { Seen } from './webhook.ts'

export interface DeliverOptions {
  store: Pick<Store, 'withLock' | 'handled'>
  /** Null: the service knows no such order. */
  read: (orderId: string) => Promise<Order | null>
  /** How an order fits its purchase. */
  assess: (order: Order) => Promise<PurchaseOfOrder>
  onOrder: OnOrder
  /** Milliseconds that one `onOrder` may take. */
  onOrderTimeout: number
  /** Told of each order before `onOrder` is called. */
  onBegun: (order: Order) => void
  /** Told of an order that `onOrder` is not told of: one of no purchase, which nobody has named. */
  onSkipped: (order: Order) => void
}

/** Its list may be read from another address than the order itself, and be ahead of it. */
const OUTDATED = 'The service lists the order as complete, and does not yet say so of the order itself.'

/** Milliseconds for everything but `onOrder`: the lock, the service, the store. */
const AROUND_MS = 30_000

/** Gives false for an order that the service does not know; rejects when it has to be tried again. */
export function createDelivery(options: DeliverOptions): (hint: Seen) => Promise<boolean> {
  const { store, read, assess, onOrder, onOrderTimeout, onBegun, onSkipped } = options

  async function deliver({ order_id, type, listed }: Seen): Promise<boolean> {
    const order = await read(order_id)
    if (!order) return false
    if (type && order.type !== type) throw new Error(OUTDATED)
    if (await store.handled.has(order.id, order.type)) return true
    const purchase = await assess(order)
    // A shopper's list also has what was sold before this store was there, or elsewhere.
    if (listed && purchase.state === 'none') {
      onSkipped(order)
      return true
    }
    onBegun(order)
    await callOnOrder(order, purchase)
    return true
  }

  async function callOnOrder(order: Order, purchase: PurchaseOfOrder): Promise<void> {
    const record: IdempotencyRecord = { orderId: order.id, type: order.type, purchaseId: purchase.id }
    const { complete, watch, settle } = createCompletion(store.handled, record)
    const late = new TimeoutError(
      'onOrder',
      `did not settle within ${onOrderTimeout} ms; it is called again later.`,
    )
    await limitTime(onOrderTimeout, late, async () => {
      await watch(() => onOrder({ order, purchase, complete }))
      // Also after the deadline: what was delivered late is not delivered again.
      await settle()
    })
  }

  return (hint) => {
    const late = new TimeoutError('fulfilment', 'the lock, the service or the store did not answer in time.')
    return limitTime(onOrderTimeout + AROUND_MS, late, (signal) =>
      store.withLock(`order:${hint.order_id}`, async () => {
        // Nobody waits for it any more, and the job has gone back to the queue.
        if (signal.aborted) return false
        return deliver(hint)
      }),
    )
  }
}

/** Rejects with `late` when the task has not ended in time; the task itself goes on. */
async function limitTime<T>(
  ms: number,
  late: TimeoutError,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, race, stop } = startDeadline(ms)
  try {
    return await race(task(signal))
  } catch (error) {
    throw signal.aborted && !(error instanceof PurchaseError) ? late : error
  } finally {
    stop()
  }
}

export interface Completion {
  readonly complete: Complete
  /** Runs `onOrder`, and rejects with what it or `complete` did; also where it has not waited for `complete`. */
  watch(task: () => void | Promise<void>): Promise<void>
  /** Sees to it that the state is marked, once `onOrder` has resolved. */
  settle(): Promise<void>
}

export function createCompletion(handled: Handled, record: IdempotencyRecord): Completion {
  const isRecorded = (): Promise<boolean> => handled.has(record.orderId, record.type)
  let outcome: boolean | Promise<boolean> | null = null
  let isNew = false

  function complete(transaction?: unknown): boolean | Promise<boolean> {
    if (!handled.addWithin) throw new InvalidInputError('complete', withoutTransactions)
    // Also where the next line throws: it was asked for.
    outcome = false
    outcome = handled.addWithin(transaction, record)
    Promise.resolve(outcome).then(
      (added) => (isNew ||= added),
      () => {},
    )
    return outcome
  }

  return {
    // What a store gives for a connection is as `Complete` says.
    complete: complete as Complete,
    async watch(task) {
      try {
        await task()
      } catch (error) {
        // Where onOrder throws at once, nobody has waited for it yet.
        await Promise.allSettled([outcome])
        throw isNew && (await isRecorded()) ? new FailedAfterCommit(error) : error
      }
      await outcome
    },
    async settle() {
      if (outcome === null) await handled.add(record)
      else if (!(await isRecorded())) throw new Error(notCommitted)
    },
  }
}

const withoutTransactions =
  'this store has no transactions. Use sqliteStore or postgresStore, or leave complete() out: the order is then marked as handled after onOrder.'

const notCommitted =
  'onOrder called complete() in a transaction that was not committed. Throw when the transaction fails, so that the order is tried again.'
