/** Values, locks and counters of one process. */

import { LRUCache } from 'lru-cache'
import type { Counter, SharedState } from '../store.ts'

export function memoryShared(now: () => number): SharedState {
  const values = new Map<string, { value: string; endsAt: number | null }>()
  const locks = new Map<string, Promise<unknown>>()

  return {
    async get(key) {
      const entry = values.get(key)
      if (!entry) return null
      const ttlMs = entry.endsAt === null ? null : entry.endsAt - now()
      if (ttlMs === null || ttlMs > 0) return { value: entry.value, ttlMs }
      values.delete(key)
      return null
    },
    async set(key, value, ttlMs) {
      values.set(key, { value, endsAt: ttlMs === null ? null : now() + ttlMs })
    },
    withLock(key, task) {
      const turn = (locks.get(key) ?? Promise.resolve()).then(task)
      const settled = turn.catch(() => {})
      locks.set(key, settled)
      settled.then(() => {
        if (locks.get(key) === settled) locks.delete(key)
      })
      return turn
    },
    counter: (_name, perMinute) => memoryCounter(perMinute, now),
  }
}

const MINUTE = 60_000
/** Anybody can call under new keys. The one that was seen longest ago begins anew. */
const KEYS = 10_000

/** Every request passes here, so it answers without a promise. */
function memoryCounter(perMinute: number, now: () => number): Counter {
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
