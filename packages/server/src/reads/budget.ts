/** How many reads of the service an instance may make: at a rate, which is halved when the service answers 429 and then grows back. */

export interface Budget {
  /** Milliseconds until the next read may be made. */
  pause(): number
  /** Counts a read. `isUrgent`: of fulfilment, which did not wait for the others. */
  spend(isUrgent: boolean): void
  /** The service has answered 429. */
  slowDown(): void
  /** Whether that was a short time ago. */
  isSlow(): boolean
}

export const READS_PER_SECOND = 10
/** Reads that may follow on each other at once after a pause. */
export const READS_AT_ONCE = 10
const LEAST_PER_SECOND = 1
/** However much fulfilment reads, others may read this often. */
const OTHERS_EVERY_MS = 400
const SLOW_MS = 15_000
/** 429 of requests that were sent together count once. */
const SLOWER_EVERY_MS = 1_000

export function createBudget(now: () => number): Budget {
  let rate = READS_PER_SECOND
  let left = READS_AT_ONCE
  let countedAt = now()
  let slowedAt = Number.NEGATIVE_INFINITY
  let othersAt = Number.NEGATIVE_INFINITY

  const isSlow = (): boolean => now() - slowedAt < SLOW_MS

  function count(): void {
    const at = now()
    const seconds = (at - countedAt) / 1_000
    countedAt = at
    rate = Math.min(READS_PER_SECOND, rate + seconds)
    left = Math.min(READS_AT_ONCE, left + seconds * rate)
  }

  return {
    pause() {
      count()
      if (left >= 1) return 0
      const untilOne = ((1 - left) / rate) * 1_000
      return isSlow() ? untilOne : Math.min(untilOne, othersAt + OTHERS_EVERY_MS - now())
    },
    spend(isUrgent) {
      count()
      left = Math.max(0, left - 1)
      if (!isUrgent) othersAt = now()
    },
    slowDown() {
      count()
      left = 0
      if (now() - slowedAt >= SLOWER_EVERY_MS) rate = Math.max(LEAST_PER_SECOND, rate / 2)
      slowedAt = now()
    },
    isSlow,
  }
}
