/** Values, locks and counters of one process. */
import type { SharedState } from '../store.ts'
import { memoryCounter } from './counter.ts'

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
