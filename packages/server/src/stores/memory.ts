/** The default store: one process, nothing survives it. */
import type { Store } from './store.ts'

export function memoryStore(options: { now?: () => number } = {}): Store {
  const now = options.now ?? Date.now
  const values = new Map<string, { value: string; endsAt: number | null }>()
  const locks = new Map<string, Promise<unknown>>()

  return {
    async get(key) {
      const entry = values.get(key)
      if (!entry) return null
      const ttlMs = entry.endsAt === null ? null : entry.endsAt - now()
      if (ttlMs !== null && ttlMs <= 0) {
        values.delete(key)
        return null
      }
      return { value: entry.value, ttlMs }
    },
    async set(key, value, ttlMs) {
      values.set(key, { value, endsAt: ttlMs === null ? null : now() + ttlMs })
    },
    async delete(key) {
      values.delete(key)
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
  }
}
