/** Counts in windows of a minute, in one process. */
import { LRUCache } from 'lru-cache'
import type { Counter } from '../store.ts'

const MINUTE = 60_000
/** Anybody can call under new keys. The one that was seen longest ago begins anew. */
const KEYS = 10_000

/** Every request passes here, so it answers without a promise. */
export function memoryCounter(perMinute: number, now: () => number): Counter {
  const windows = new LRUCache<string, { calls: number; endsAt: number }>({ max: KEYS })
  return (key) => {
    const at = now()
    const last = windows.get(key)
    const window = last && runs(last.endsAt, at) ? last : { calls: 0, endsAt: at + MINUTE }
    if (window !== last) windows.set(key, window)
    window.calls++
    return window.calls > perMinute ? window.endsAt - at : 0
  }
}

/** One that would end later than in a minute was opened before the clock was set back. */
const runs = (endsAt: number, at: number): boolean => endsAt > at && endsAt - at <= MINUTE
