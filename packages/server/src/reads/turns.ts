/**
 * Limits an instance's reads of the service: one budget for all, at a rate that is halved when the service answers 429 and then grows back.
 *
 * Fulfilment is limited by its workers and reads at once; all other readers share the rest of the rate, in turns. After the service
 * has answered 429, fulfilment waits for its turns too, webhooks with the key first.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { PurchaseError } from '../errors.ts'

/**
 * Milliseconds after which a read is due. The earliest due read is served first, so that no reader waits for ever behind those before it.
 *
 * - `webhook`: an order that a webhook with the key has named.
 * - `fulfilment`: any other order to be delivered to `onOrder`.
 * - `returned`: a shopper who has just come back.
 * - `shopper`: any other request of a shopper.
 * - `background`: hints of unauthenticated callers, and reconciliation.
 */
const dueAfter = { webhook: 0, fulfilment: 100, returned: 1_000, shopper: 2_000, background: 10_000 }
/** A shopper's read is due this much later for each waiting read of the same network: networks take turns. */
const LATER_FOR_EACH_MS = 300

export type Priority = keyof typeof dueAfter

export interface Reader {
  readonly priority: Priority
  /** The network that the request came from; empty when it is not known. */
  readonly network: string
}

const readers = new AsyncLocalStorage<Reader>()

export const currentReader = (): Reader => readers.getStore() ?? { priority: 'shopper', network: '' }

/** Runs a task whose reads of the service belong to this reader; missing fields keep their present value. */
export const readingAs = <T>(reader: Partial<Reader>, task: () => T): T =>
  readers.run({ ...currentReader(), ...reader }, task)

export const READS_PER_SECOND = 10
/** How many reads may follow one another at once after a pause. */
export const READS_AT_ONCE = 10
const LEAST_PER_SECOND = 1
/** However much fulfilment reads, other readers may read this often. */
const OTHERS_EVERY_MS = 400
const SLOW_MS = 15_000
/** Several 429 answers to requests that were sent together count once. */
const SLOWER_EVERY_MS = 1_000

const isUrgent = ({ priority }: Reader): boolean => priority === 'webhook' || priority === 'fulfilment'
/** Fulfilment and background reads are limited by their own workers. */
const isShopper = ({ priority }: Reader): boolean => priority === 'returned' || priority === 'shopper'

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
    pause(): number {
      count()
      if (left >= 1) return 0
      const untilOne = ((1 - left) / rate) * 1_000
      return isSlow() ? untilOne : Math.min(untilOne, othersAt + OTHERS_EVERY_MS - now())
    },
    spend(reader: Reader): void {
      count()
      left = Math.max(0, left - 1)
      if (!isUrgent(reader)) othersAt = now()
    },
    slowDown(): void {
      count()
      left = 0
      if (now() - slowedAt >= SLOWER_EVERY_MS) rate = Math.max(LEAST_PER_SECOND, rate / 2)
      slowedAt = now()
    },
    isSlow,
  }
}

/** How long a shopper's request waits for its turn. A longer wait is refused at once: it would only delay others. */
export const WAIT_MS = 3_000
const MAX_PER_NETWORK = (READS_PER_SECOND * WAIT_MS) / 1_000
const MAX_WAITING = 10 * MAX_PER_NETWORK

interface Entry extends Reader {
  readonly dueAt: number
  readonly begin: () => void
}

export interface Turns {
  /** Resolves when it is the reader's turn. Rejects with `TooManyReads` when that would take too long, or when the signal aborts. */
  take(reader: Reader, signal?: AbortSignal | null): Promise<void>
  /** The service has answered 429. */
  slowDown(): void
}

export function createTurns(now: () => number = () => performance.now()): Turns {
  const budget = createBudget(now)
  /** Waiting reads, the earliest due first. */
  let waiting: Entry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function serve(): void {
    clearTimeout(timer)
    for (let next = waiting[0]; next; next = waiting[0]) {
      const ms = budget.pause()
      if (ms > 0) {
        timer = setTimeout(serve, Math.ceil(ms))
        return
      }
      waiting.shift()
      budget.spend(next)
      next.begin()
    }
  }

  function wait(reader: Reader, signal: AbortSignal | null): Promise<void> {
    const same = waiting.filter(({ priority }) => priority === reader.priority)
    const ofNetwork = same.filter(({ network }) => network === reader.network).length
    const isFull = same.length >= MAX_WAITING || ofNetwork >= MAX_PER_NETWORK
    if (isShopper(reader) && isFull) return Promise.reject(new TooManyReads())
    const later = isShopper(reader) ? ofNetwork * LATER_FOR_EACH_MS : 0

    let refuse = (): void => {}
    const turn = new Promise<void>((begin, reject) => {
      const entry = { ...reader, begin, dueAt: now() + dueAfter[reader.priority] + later }
      waiting = [...waiting, entry].sort((one, other) => one.dueAt - other.dueAt)
      refuse = () => {
        waiting = waiting.filter((one) => one !== entry)
        reject(new TooManyReads())
      }
    })
    const deadline = isShopper(reader) ? setTimeout(refuse, WAIT_MS) : undefined
    signal?.addEventListener('abort', refuse)
    serve()
    return turn.finally(() => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', refuse)
    })
  }

  return {
    async take(reader, signal = null) {
      if (!isUrgent(reader) || budget.isSlow()) return wait(reader, signal)
      budget.spend(reader)
    },
    slowDown: budget.slowDown,
  }
}

/** The read was not sent: more reads wait than can be made in time. */
export class TooManyReads extends PurchaseError {
  override readonly name = 'TooManyReads'

  constructor() {
    super('reads', 'too many reads of the service are waiting. Try again in a few seconds.')
  }
}

/** Every request of a read waits for its turn, including the client's retries. */
export const pacedClient = (client: PurchaseClient, turns: Turns): PurchaseClient =>
  client.withReads((send) => async (address, init) => {
    await turns.take(currentReader(), init?.signal)
    const response = await send(address, init)
    if (response.status === 429) turns.slowDown()
    return response
  })
