/**
 * Delivers one order to `onOrder`, as the service reports it now, unless this state was handled. One call at a time, except that the next
 * call does not wait for one that has not settled by its deadline.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from '../client/wire.ts'
import { STORE_MS, within } from '../deadline.ts'
import { InvalidInputError, TimeoutError } from '../errors.ts'
import type { Complete, OnOrder, PurchaseOfOrder } from '../purchase/purchase.ts'
import { ANSWER_MS, type Handled, type IdempotencyRecord, type Store } from '../stores/store.ts'
import { FailedAfterCommit, UnknownOrder } from './queue.ts'
import type { Seen } from './webhook.ts'

export interface DeliverOptions {
  store: Pick<Store, 'withLock' | 'handled'>
  /** Null: the service knows no such order. */
  read: (orderId: string) => Promise<Order | null>
  /** Compares an order with its purchase. */
  assess: (order: Order) => Promise<PurchaseOfOrder>
  onOrder: OnOrder
  onOrderTimeout: number
  /** Called with each order before `onOrder`, and with each order that is skipped: it has no purchase, and no webhook has named it. */
  onSeen: (order: Order, isSkipped: boolean) => void
}

/** A webhook, or the list, which may be read from another address, can be ahead of the order itself. */
const OUTDATED =
  'The service has reported the order as complete, and does not yet say so of the order itself.'

/** Milliseconds for everything but `onOrder`: the lock, the service, the store. */
const OVERHEAD_MS = 30_000

/**
 * Rejects when the order has to be retried; with `UnknownOrder` if the service does not know it.
 *
 * @param onLateFailure receives a `FailedAfterCommit` of an `onOrder` that was no longer awaited: the retries find the state handled.
 */
type Deliver = (hint: Seen, onLateFailure: LateFailure) => Promise<void>
type LateFailure = (failure: FailedAfterCommit) => void

export function createDelivery(options: DeliverOptions): Deliver {
  const { store, read, assess, onOrder, onOrderTimeout, onSeen } = options

  async function deliver({ order_id, type, listed }: Seen, onLateFailure: LateFailure): Promise<void> {
    const order = await read(order_id)
    if (!order) throw new UnknownOrder()
    if (type && order.type !== type) throw new Error(OUTDATED)
    if (await store.handled.has(order.id, order.type)) return
    const purchase = await assess(order)
    // A shopper's list also contains orders from before this store existed, or from elsewhere.
    const isSkipped = listed === true && purchase.state === 'none'
    onSeen(order, isSkipped)
    if (!isSkipped) await callOnOrder(order, purchase, onLateFailure)
  }

  async function callOnOrder(
    order: Order,
    purchase: PurchaseOfOrder,
    onLateFailure: LateFailure,
  ): Promise<void> {
    const record: IdempotencyRecord = { orderId: order.id, type: order.type, purchaseId: purchase.id }
    const { complete, watch, settle } = createCompletion(store.handled, record)
    const late = `did not settle within ${onOrderTimeout} ms; it is called again later.`
    const call = (async () => onOrder({ order, purchase, complete }))()
    // Also after the deadline: what was delivered late is not delivered again.
    const handled = watch(call).then(settle)
    let isAwaited = true
    handled.catch((failure: unknown) => {
      if (!isAwaited && failure instanceof FailedAfterCommit) onLateFailure(failure)
    })
    const called = call.catch(() => {})
    await within(onOrderTimeout, called, new TimeoutError('onOrder', late)).catch((error: unknown) => {
      isAwaited = false
      throw error
    })
    await handled
  }

  return (hint, onLateFailure) => {
    const deadlineMs = onOrderTimeout + OVERHEAD_MS
    const giveUpAt = performance.now() + deadlineMs
    const work = store.withLock(`order:${hint.order_id}`, async () => {
      // After the deadline no caller waits for it any more, and the job is back in the queue.
      if (performance.now() < giveUpAt) await deliver(hint, onLateFailure)
    })
    const late = 'the lock, the service or the store did not answer in time.'
    return within(deadlineMs, work, new TimeoutError('fulfilment', late))
  }
}

function createCompletion(handled: Handled, record: IdempotencyRecord) {
  const isRecorded = (): Promise<boolean> => handled.has(record.orderId, record.type)
  let outcome: boolean | Promise<boolean> | null = null
  let isNew = false
  let isOver = false

  function complete(transaction?: unknown): boolean | Promise<boolean> {
    if (isOver) throw new InvalidInputError('complete', tooLate)
    if (!handled.addWithin) throw new InvalidInputError('complete', withoutTransactions)
    // Set first, so that the call counts even if the next line throws.
    outcome = false
    outcome = handled.addWithin(transaction, record)
    Promise.resolve(outcome).then(
      (added) => (isNew ||= added),
      () => {},
    )
    return outcome
  }

  return {
    // A store returns for a connection what `Complete` declares.
    complete: complete as Complete,
    /**
     * Waits for `onOrder`, and rejects if it or `complete` rejects, even if `onOrder` has not awaited `complete`. No longer than a database may take,
     * since the connection of a transaction may have gone silent: if it commits later, the next attempt finds the idempotency record.
     */
    async watch(call: Promise<void>): Promise<void> {
      try {
        await call
      } catch (error) {
        // If onOrder throws at once, nothing has awaited `outcome` yet.
        await within(ANSWER_MS, Promise.allSettled([outcome])).catch(() => {})
        throw isNew && (await isCommitted(isRecorded)) ? new FailedAfterCommit(error) : error
      }
      await within(ANSWER_MS, Promise.resolve(outcome), 'complete()')
    },
    /** Ensures that the state is recorded as handled, once `onOrder` has resolved. */
    async settle(): Promise<void> {
      isOver = true
      if (outcome === null) await handled.add(record)
      else if (!(await isRecorded())) throw new Error(notCommitted)
    },
  }
}

const ASK_AGAIN_MS = 1_000
/** Within OVERHEAD_MS, also if each question takes as long as it may. */
const MOST_ASKED = 6

/**
 * Asks a store that is unavailable again, since the next attempt would skip a committed state without a word. False if it does not answer:
 * the next attempt then finds out.
 */
async function isCommitted(isRecorded: () => Promise<boolean>): Promise<boolean> {
  for (let asked = 1; asked <= MOST_ASKED; asked++) {
    try {
      return await within(STORE_MS, isRecorded(), 'The store')
    } catch {
      await pause(ASK_AGAIN_MS)
    }
  }
  return false
}

const withoutTransactions =
  'this store has no transactions. Use sqliteStore or postgresStore, or leave complete() out: the order is then marked as handled after onOrder.'

const tooLate =
  'onOrder has already resolved, and the order is marked as handled. Let onOrder return the promise of everything that it starts.'

const notCommitted =
  'onOrder called complete() in a transaction that was not committed. Throw when the transaction fails, so that the order is tried again.'
