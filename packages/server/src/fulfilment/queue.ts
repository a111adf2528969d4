/**
 * One queue of jobs: claims a limited number from the store at a time. A failed job is retried after a delay, as often as its kind of failure
 * allows, and then becomes a dead letter.
 */
import { clearInterval, setInterval, setTimeout } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorContext, meansUnknown, PurchaseError, withoutValues } from '../errors.ts'
import type { Job, Jobs, QueueName } from '../stores/store.ts'
import { hintOf, type OrderHint } from './webhook.ts'

export interface QueueOptions {
  name: QueueName
  jobs: Jobs
  workers: number
  /** Minimum milliseconds that a worker spends on each job: limits the rate. */
  paceMs: number
  /**
   * Rejects with `UnknownOrder` if the service knows no such order. `onLateFailure`: for a failure after that, of work that was no longer
   * awaited and will not be done again.
   */
  handle: (hint: OrderHint, onLateFailure: (failure: unknown) => void) => Promise<void>
  onError: (error: unknown, context?: ErrorContext) => void
}

export interface Queue {
  wake(): void
  /** Resolves when no job runs and none is left to claim. */
  idle(): Promise<void>
  /** Claims no more jobs; resolves when the running ones have ended. */
  close(): Promise<void>
}

/** Retries that are due sooner than the next claim get a timer of their own. */
export const CLAIM_EVERY_MS = 5_000
/** Milliseconds after which a job of a killed process becomes due again. */
export const HOLD_MS = 8_000
/** Three renewals may fail or be late before a running job becomes due again. */
const RENEW_EVERY_MS = 2_000

export function createQueue(options: QueueOptions): Queue {
  const { jobs, name, workers, onError } = options
  const attempt = createAttempt(options, wake)
  const running = new Map<string, Promise<void>>()
  let polling: Promise<void> | null = null
  let again = false
  let closed = false

  function wake(): void {
    again = true
    if (polling || closed || running.size >= workers) return
    polling = poll().finally(() => {
      polling = null
      if (again) wake()
    })
  }

  async function poll(): Promise<void> {
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
    // The job was added again meanwhile: it becomes due when the present attempt ends, and occupies no worker until then.
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
    while (polling || running.size > 0) await Promise.all([polling, ...running.values()])
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
      await handle(hint, (failure) => void bury(job, hint, failure).catch(onError))
      await jobs.complete(job)
    } catch (error) {
      await fail(job, hint, error)
    }
  }

  async function fail(job: Job, hint: OrderHint, error: unknown): Promise<void> {
    const failure = failureKindOf(error, 'type' in hint)
    const waitMs = retryDelay(job.attempt, name, failure)
    const isLast = waitMs === null && name === 'trusted'
    if (isLast) return bury(job, hint, error)
    if (failure !== 'unknown') tell(job, hint, error)
    if (waitMs !== null) {
      await jobs.retry(job, waitMs)
      if (waitMs < CLAIM_EVERY_MS) setTimeout(wake, waitMs + 1).unref()
    } else {
      await jobs.complete(job)
    }
  }

  async function bury(job: Job, hint: OrderHint, error: unknown): Promise<void> {
    tell(job, hint, error)
    await jobs.bury(job, reasonOf(error))
  }

  function tell({ attempt }: Job, hint: OrderHint, error: unknown): void {
    const about = 'order_id' in hint ? { orderId: hint.order_id } : {}
    onError(error, { during: 'fulfilment', ...about, attempt })
  }

  return async (job) => {
    const renewal = setInterval(() => jobs.hold(job, HOLD_MS).catch(onError), RENEW_EVERY_MS)
    renewal.unref()
    await Promise.all([run(job).catch(onError), paceMs > 0 && pause(paceMs)])
    clearInterval(renewal)
  }
}

/**
 * `unknown`: the service knows no such order. It may soon, so the lookup is retried, but not for long. `failed`: the service, the
 * store or `onOrder` failed for now. `ended`: another attempt would have no effect.
 */
type FailureKind = 'unknown' | 'failed' | 'ended'

/** The waits between twelve attempts add up to a day. */
const most = {
  trusted: { unknown: 3, failed: 12, ended: 1 },
  unauthenticated: { unknown: 3, failed: 6, ended: 1 },
} satisfies Record<QueueName, Record<FailureKind, number>>

const FIRST_WAIT_MS = 1_000

/** Milliseconds until the next attempt; null after the last. Randomised, so that jobs are not retried together. */
function retryDelay(attempt: number, queue: QueueName, failure: FailureKind): number | null {
  // A job that had other failures first is not for an order that never existed.
  const isLate = failure === 'unknown' && attempt > most[queue].unknown
  if (attempt >= most[queue][isLate ? 'failed' : failure]) return null
  return Math.round(FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.75 + Math.random() / 2))
}

/** An order that was seen is known, whatever the service answers for a moment. */
function failureKindOf(error: unknown, wasSeen: boolean): FailureKind {
  if (error instanceof FailedAfterCommit) return 'ended'
  const isUnknown = error instanceof UnknownOrder || meansUnknown(error)
  return isUnknown && !wasSeen ? 'unknown' : 'failed'
}

/** The service answers, but knows no such order. */
export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder'
  override readonly message = 'the service knows no such order'
}

/** Name and message of a failure, for a dead letter: anything that looks like a value is removed from messages of the merchant's code. */
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
