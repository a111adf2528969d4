/**
 * One queue of jobs: takes them from the store, so many at a time. One that fails comes back after a while, as often as its failure allows, and is
 * a dead letter then.
 */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { clearInterval, setInterval, setTimeout } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorContext, isApiError, PurchaseError, withoutValues } from '../errors.ts'
import type { Job, Jobs, QueueName } from '../stores/store.ts'
import { hintOf, type OrderHint } from './webhook.ts'

export interface QueueOptions {
  name: QueueName
  jobs: Jobs
  workers: number
  /** Milliseconds that a worker is busy with each job at least: it bounds the rate. */
  paceMs: number
  /** Rejects with `UnknownOrder` where the service knows no such order. */
  handle: (hint: OrderHint) => Promise<void>
  onError: (error: unknown, context?: ErrorContext) => void
}

export interface Queue {
  /** Looks whether there is something to take. */
  wake(): void
  /** Resolves when nothing runs and nothing more was there to take. */
  idle(): Promise<void>
  /** Takes nothing more; resolves when what runs has ended. */
  close(): Promise<void>
}

/** Retries that are due sooner than the next claim get a timer of their own. */
export const CLAIM_EVERY_MS = 5_000
/** Milliseconds after which a job comes back whose process was killed. */
export const HOLD_MS = 8_000
/** Three renewals may fail or be late before a job comes back that is still worked at. */
const RENEW_EVERY_MS = 2_000

export function createQueue(options: QueueOptions): Queue {
  const { jobs, name, workers, onError } = options
  const attempt = createAttempt(options, wake)
  /** By the key of its job. */
  const running = new Map<string, Promise<void>>()
  let looking: Promise<void> | null = null
  let again = false
  let closed = false

  function wake(): void {
    again = true
    if (looking || closed || running.size >= workers) return
    looking = look().finally(() => {
      looking = null
      if (again) wake()
    })
  }

  async function look(): Promise<void> {
    while (again && !closed && running.size < workers) {
      again = false
      const claimed = await jobs.claim(name, workers - running.size, HOLD_MS).catch((error: unknown) => {
        onError(error)
        return []
      })
      for (const job of claimed) start(job)
    }
  }

  function start(job: Job): void {
    const present = running.get(job.key)
    // Added again meanwhile: it comes back when the present attempt ends, and until then is in no worker's way.
    if (present) {
      void present.then(() => jobs.hold(job, 0)).then(wake, onError)
      return
    }
    const run = attempt(job).then(() => {
      running.delete(job.key)
      wake()
    })
    running.set(job.key, run)
  }

  async function idle(): Promise<void> {
    while (looking || running.size > 0) await Promise.all([looking, ...running.values()])
  }

  return {
    wake,
    idle,
    close() {
      closed = true
      return idle()
    },
  }
}

/** One attempt at a job. Never rejects. */
function createAttempt(
  { name, jobs, paceMs, handle, onError }: QueueOptions,
  wake: () => void,
): (job: Job) => Promise<void> {
  async function run(job: Job): Promise<void> {
    const hint = hintOf(job.key)
    try {
      await handle(hint)
      await jobs.complete(job)
    } catch (error) {
      await fail(job, error, failureKindOf(error, 'type' in hint))
    }
  }

  async function fail(job: Job, error: unknown, failure: FailureKind): Promise<void> {
    const waitMs = retryDelay(job.attempt, name, failure)
    const isLast = waitMs === null && name === 'trusted'
    if (failure !== 'unknown' || isLast) {
      const hint = hintOf(job.key)
      const about = 'order_id' in hint ? { orderId: hint.order_id } : {}
      onError(error, { during: 'fulfilment', ...about, attempt: job.attempt })
    }
    if (waitMs !== null) {
      await jobs.retry(job, waitMs)
      if (waitMs < CLAIM_EVERY_MS) setTimeout(wake, waitMs + 1).unref()
    } else if (isLast) {
      await jobs.bury(job, reasonOf(error))
    } else {
      await jobs.complete(job)
    }
  }

  return async (job) => {
    const renewal = setInterval(() => jobs.hold(job, HOLD_MS).catch(onError), RENEW_EVERY_MS)
    renewal.unref()
    await Promise.all([run(job).catch(onError), paceMs > 0 && pause(paceMs)])
    clearInterval(renewal)
  }
}

/**
 * `unknown`: the service knows no such order. It may be about to, so it is asked again, but not for long. `failed`: the service, the
 * store or `onOrder` could not do it now. `ended`: another attempt would do nothing.
 */
type FailureKind = 'unknown' | 'failed' | 'ended'

/** The waits between twelve attempts add up to a day. */
const most = {
  trusted: { unknown: 3, failed: 12, ended: 1 },
  unauthenticated: { unknown: 3, failed: 6, ended: 1 },
} satisfies Record<QueueName, Record<FailureKind, number>>

const FIRST_WAIT_MS = 1_000

/** Milliseconds until a job is tried again after so many attempts; null when it was the last. Spread, so that jobs do not come together. */
function retryDelay(attempt: number, queue: QueueName, failure: FailureKind): number | null {
  // A job that had other failures first is not one of an order that never was.
  const isLate = failure === 'unknown' && attempt > most[queue].unknown
  if (attempt >= most[queue][isLate ? 'failed' : failure]) return null
  return Math.round(FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.75 + Math.random() / 2))
}

/** Statuses below 500 that are about us and not about the order: the keys, the time, the rate. */
const aboutUs: readonly number[] = [401, 403, 408, 429]

/**
 * How a service says that it knows no such order is not shown (U6): any refusal of its own that is about the order. An order that was seen
 * is known, whatever is answered for a moment.
 */
function failureKindOf(error: unknown, wasSeen: boolean): FailureKind {
  if (error instanceof FailedAfterCommit) return 'ended'
  if (error instanceof UnknownOrder) return wasSeen ? 'failed' : 'unknown'
  const isAboutIt =
    isApiError(error) && error.status < 500 && error.refusedBy !== 'other' && !aboutUs.includes(error.status)
  return isAboutIt && !wasSeen ? 'unknown' : 'failed'
}

/** The service answers, and knows no such order. */
export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder'
  override readonly message = 'the service knows no such order'
}

/** Name and message of a failure, for a dead letter: whatever looks like a value is taken out of what the merchant's code said. */
function reasonOf(error: unknown): string {
  if (error instanceof PurchaseError) return `${error.name}: ${error.message}`
  return error instanceof Error ? withoutValues(`${error.name}: ${error.message}`) : 'not an Error'
}

/** `onOrder` failed although its idempotency record is committed: it is not called again, and only a person can tell whether it delivered. */
export class FailedAfterCommit extends Error {
  override readonly name = 'FailedAfterCommit'

  constructor(cause: unknown) {
    super(
      `onOrder failed after the transaction of complete() was committed, so it is not called again. Look whether the order was delivered. ${reasonOf(cause)}`,
      { cause },
    )
  }
}
