/** Waits for something, or remembers it, but not for ever. */
import { LRUCache } from 'lru-cache'

/** The patience with a store, in milliseconds: no shopper waits longer for one that does not answer. */
export const STORE_MS = 2_000

/**
 * @param who for the message: what does not answer.
 * @returns what `work` gives. Rejects when it has not settled in `ms` milliseconds; the work itself goes on.
 */
export function within<T>(ms: number, work: Promise<T>, who = 'It'): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who} did not answer in ${ms} ms.`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface Deadline {
  readonly signal: AbortSignal
  remainingMs(): number
  /** Also ends the wait for a `fetch` that does not listen to its signal. */
  race<T>(promise: Promise<T>): Promise<T>
  stop(): void
}

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const end = performance.now() + timeoutMs
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  let expire = (): void => {}
  const expired = new Promise<never>((_, reject) => {
    expire = () => reject(new Error('deadline'))
  })
  expired.catch(() => {})
  signal.addEventListener('abort', expire)
  return {
    signal,
    remainingMs: () => end - performance.now(),
    race: (promise) => Promise.race([promise, expired]),
    stop() {
      clearTimeout(timer)
      // Node's `fetch` holds the signal for as long as its request is not collected, and the listener all that was waited for.
      signal.removeEventListener('abort', expire)
    },
  }
}

type ExpiringMap<Value extends {}> = Pick<LRUCache<string, Value>, 'get' | 'has' | 'set' | 'delete'>

interface ExpiringMapOptions {
  /** With more entries the one goes that was not used for longest. */
  max: number
  /** Milliseconds that an entry lives after it was set. */
  ttlMs: number
  /** Milliseconds, above zero. Default: the time since the process started, which nobody can set back. */
  now?: (() => number) | undefined
}

/** A bounded map whose entries end after a while. */
export const createExpiringMap = <Value extends {}>({
  max,
  ttlMs,
  now = monotonic,
}: ExpiringMapOptions): ExpiringMap<Value> =>
  // It keeps an entry to the end of its last millisecond, and a resolution of zero keeps it from making timers.
  new LRUCache<string, Value>({ max, ttl: ttlMs - 1, ttlResolution: 0, perf: { now } })

/** For lru-cache an entry of time zero never ends. */
const monotonic = (): number => performance.now() + 1
