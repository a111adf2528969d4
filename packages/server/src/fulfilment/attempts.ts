/** How often a job is tried, and what its failures mean. */
import { isApiError, PurchaseError, withoutValues } from '../errors.ts'
import type { QueueName } from '../stores/store.ts'

/**
 * `unknown`: the service knows no such order. It may be about to, so it is asked again, but not for long. `failed`: the service, the
 * store or `onOrder` could not do it now. `ended`: another attempt would do nothing.
 */
export type FailureKind = 'unknown' | 'failed' | 'ended'

/** The waits between twelve attempts add up to a day. */
const most = {
  trusted: { unknown: 3, failed: 12, ended: 1 },
  unauthenticated: { unknown: 3, failed: 6, ended: 1 },
} satisfies Record<QueueName, Record<FailureKind, number>>

const FIRST_WAIT_MS = 1_000

/** Milliseconds until a job is tried again after so many attempts; null when it was the last. Spread, so that jobs do not come together. */
export function retryDelay(attempt: number, queue: QueueName, failure: FailureKind): number | null {
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
export function failureKindOf(error: unknown, wasSeen: boolean): FailureKind {
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
export function reasonOf(error: unknown): string {
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
