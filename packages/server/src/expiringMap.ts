/** A bounded map whose entries end after a while. */
import { LRUCache } from 'lru-cache'

export type ExpiringMap<Value extends {}> = Pick<LRUCache<string, Value>, 'get' | 'has' | 'set' | 'delete'>

export interface ExpiringMapOptions {
  /** With more entries the one goes that was not used for longest. */
  max: number
  /** Milliseconds that an entry lives after it was set. */
  ttlMs: number
  /** Milliseconds, above zero. Default: the time since the process started, which nobody can set back. */
  now?: (() => number) | undefined
}

export const createExpiringMap = <Value extends {}>({
  max,
  ttlMs,
  now = monotonic,
}: ExpiringMapOptions): ExpiringMap<Value> =>
  // It keeps an entry to the end of its last millisecond, and a resolution of zero keeps it from making timers.
  new LRUCache<string, Value>({ max, ttl: ttlMs - 1, ttlResolution: 0, perf: { now } })

/** For lru-cache an entry of time zero never ends. */
const monotonic = (): number => performance.now() + 1
