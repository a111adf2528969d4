/**
 * When an instance may read the service: one budget for all its reads, at a rate that is halved when the service answers 429 and then grows back.
 *
 * Fulfilment is bounded by its workers and reads at once; everybody else shares what it leaves of the rate, in turns. After the service
 * has answered 429, fulfilment waits for its turns too, webhooks with the key first.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { PurchaseError } from '../errors.ts'
import { currentReader, type Reader } from './reader.ts'
import { createWaiting, isUrgent } from './waiting.ts'

export const READS_PER_SECOND = 10
/** Reads that may follow on each other at once after a pause. */
export const READS_AT_ONCE = 10
const LEAST_PER_SECOND = 1
/** However much fulfilment reads, others may read this often. */
const OTHERS_EVERY_MS = 400
const SLOW_MS = 15_000
/** 429 of requests that were sent together count once. */
const SLOWER_EVERY_MS = 1_000

function createBudget(now: () => number) {
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
    /** Milliseconds until the next read may be made. */
    pause(): number {
      count()
      if (left >= 1) return 0
      const untilOne = ((1 - left) / rate) * 1_000
      return isSlow() ? untilOne : Math.min(untilOne, othersAt + OTHERS_EVERY_MS - now())
    },
    /** Counts a read. `isUrgent`: of fulfilment, which did not wait for the others. */
    spend(isUrgent: boolean): void {
      count()
      left = Math.max(0, left - 1)
      if (!isUrgent) othersAt = now()
    },
    /** The service has answered 429. */
    slowDown(): void {
      count()
      left = 0
      if (now() - slowedAt >= SLOWER_EVERY_MS) rate = Math.max(LEAST_PER_SECOND, rate / 2)
      slowedAt = now()
    },
    /** Whether that was a short time ago. */
    isSlow,
  }
}

export interface Turns {
  /** Resolves when it is the reader's turn. Rejects with `TooManyReads` when that would take too long, or when the signal aborts. */
  take(reader: Reader, signal?: AbortSignal | null): Promise<void>
  /** The service has answered 429. */
  slowDown(): void
}

/** How long a shopper's request waits for its turn. What would wait longer is refused: it would only keep others waiting. */
export const WAIT_MS = 3_000
/** What can be read in that time. */
const MOST_PER_NETWORK = (READS_PER_SECOND * WAIT_MS) / 1_000
const MOST_WAITING = 10 * MOST_PER_NETWORK

interface Entry extends Reader {
  readonly begin: () => void
}

export function createTurns(now: () => number = () => performance.now()): Turns {
  const budget = createBudget(now)
  const waiting = createWaiting<Entry>(MOST_PER_NETWORK, MOST_WAITING)
  let timer: ReturnType<typeof setTimeout> | undefined

  function serve(): void {
    clearTimeout(timer)
    while (!waiting.isEmpty()) {
      const ms = budget.pause()
      if (ms > 0) {
        timer = setTimeout(serve, Math.ceil(ms))
        return
      }
      const entry = waiting.next()
      if (!entry) return
      budget.spend(isUrgent(entry))
      entry.begin()
    }
  }

  function wait(reader: Reader, signal: AbortSignal | null): Promise<void> {
    const isShopper = reader.priority === 'returned' || reader.priority === 'shopper'
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(deadline)
        signal?.removeEventListener('abort', refuse)
      }
      const refuse = (): void => {
        end()
        waiting.remove(entry)
        reject(new TooManyReads())
      }
      const begin = (): void => {
        end()
        resolve()
      }
      const entry: Entry = { ...reader, begin }
      const deadline = isShopper ? setTimeout(refuse, WAIT_MS) : undefined
      signal?.addEventListener('abort', refuse)
      if (waiting.add(entry)) serve()
      else refuse()
    })
  }

  return {
    async take(reader, signal = null) {
      if (!isUrgent(reader) || budget.isSlow()) return wait(reader, signal)
      budget.spend(true)
    },
    slowDown: budget.slowDown,
  }
}

/** The service was not asked: more reads wait than can be made in time. */
export class TooManyReads extends PurchaseError {
  override readonly name = 'TooManyReads'

  constructor() {
    super('reads', 'too many reads of the service are waiting. Try again in a few seconds.')
  }
}

/** Each request of a read waits, also one that the client sends again. */
export const pacedClient = (client: PurchaseClient, turns: Turns): PurchaseClient =>
  client.withReads((send) => async (address, init) => {
    await turns.take(currentReader(), init?.signal)
    const response = await send(address, init)
    if (response.status === 429) turns.slowDown()
    return response
  })
