/** Who waits for what, and how long: work with a deadline, in the background, or that nobody awaits; and a map whose entries expire. */
import { LRUCache } from 'lru-cache'

/** Timeout of a call to a store, in milliseconds: no shopper waits longer for a store that does not answer. */
export const STORE_MS = 2_000

/**
 * @param late the error if it is late, or the name of what did not answer.
 * @returns the result of `work`. Rejects if it has not settled within `ms` milliseconds; the work itself continues.
 */
export function within<T>(ms: number, work: Promise<T>, late: string | Error = 'It'): Promise<T> {
  const error = typeof late === 'string' ? new Error(`${late} did not answer in ${ms} ms.`) : late
  let timer: ReturnType<typeof setTimeout>
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, error)
  })
  return Promise.race([work, expired]).finally(() => clearTimeout(timer))
}

export interface Deadline {
  readonly signal: AbortSignal
  remainingMs(): number
  /** Also ends the wait for a `fetch` that ignores its signal. */
  race<T>(promise: Promise<T>): Promise<T>
  stop(): void
}

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const end = performance.now() + timeoutMs
  let timer: ReturnType<typeof setTimeout>
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new Error('deadline'))
    }, timeoutMs)
  })
  expired.catch(() => {})
  return {
    signal: controller.signal,
    remainingMs: () => end - performance.now(),
    race: (promise) => Promise.race([promise, expired]),
    stop: () => clearTimeout(timer),
  }
}

/** Tracks work that outlives its caller, so that it can be awaited before the store is closed. */
export interface Background {
  keep<T>(work: Promise<T>): Promise<T>
  /** Resolves when no work is left, including work that started meanwhile. */
  idle(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<unknown>>()
  return {
    keep(work) {
      const end = (): void => void running.delete(work)
      running.add(work)
      work.then(end, end)
      return work
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/**
 * For a merchant's function that only receives something: nobody waits for it, and nothing depends on it. Calls it at once, and never throws.
 * Neither what it throws nor what its promise rejects with reaches the caller or the process, which an unhandled rejection would end.
 *
 * @param onFailure receives that failure.
 */
export function listener<Args extends unknown[]>(
  receive: (...args: Args) => unknown,
  onFailure: (failure: unknown) => void = () => {},
): (...args: Args) => void {
  const run = async (...args: Args): Promise<unknown> => receive(...args)
  return (...args) => void run(...args).catch(onFailure)
}

interface ExpiringMapOptions {
  /** Beyond this number, the least recently used entry is evicted. */
  max: number
  /** Milliseconds that an entry lives after it was set. */
  ttlMs: number
  /** Milliseconds, above zero. Default: the time since the process started, which cannot be set back. */
  now?: (() => number) | undefined
}

/** A bounded map whose entries expire. */
export function createExpiringMap<Value extends {}>({
  max,
  ttlMs,
  now = monotonic,
}: ExpiringMapOptions): LRUCache<string, Value> {
  let purgeAt = now() + ttlMs
  const cache = new LRUCache<string, Value>({
    max,
    // The cache keeps an entry until the end of its last millisecond. With a resolution of zero it creates no timers.
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: { now },
    onInsert() {
      // Without a timer, expired entries would take memory until `max` others have come.
      if (now() < purgeAt) return
      purgeAt = now() + ttlMs
      // Later: until the insertion is over, the new entry has the age of the one whose place it takes.
      queueMicrotask(() => cache.purgeStale())
    },
  })
  return cache
}

/** In lru-cache an entry that was set at time zero never expires. */
const monotonic = (): number => performance.now() + 1
