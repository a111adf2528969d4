/** The default store: one process, and nothing survives it. */
import type { Counter, Queue, Store } from './store.ts'

/**
 * One process's memory. After a restart `onOrder` is called again for orders that are looked at again, and rings that were
 * waiting are gone: for trying things out, or beside a unique key and a job of your own that calls `ring()`.
 */
export function memoryStore(options: { now?: () => number } = {}): Store {
  const now = options.now ?? Date.now
  const values = new Map<string, { value: string; endsAt: number | null }>()
  const locks = new Map<string, Promise<unknown>>()
  const queues = new Map<string, Queue>()

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
    queue(name) {
      const queue = queues.get(name) ?? memoryQueue(now)
      queues.set(name, queue)
      return queue
    },
    counter: (_name, perMinute) => memoryCounter(perMinute, now),
  }
}

function memoryQueue(now: () => number): Queue {
  const items = new Map<string, { dueAt: number; receipt: string }>()
  let receipts = 0

  const schedule = (item: string, dueAt: number): string => {
    const receipt = String(++receipts)
    items.set(item, { dueAt, receipt })
    return receipt
  }

  return {
    async add(item) {
      schedule(item, now())
    },
    async claim(limit, holdMs) {
      const due = [...items].filter(([, entry]) => entry.dueAt <= now()).slice(0, limit)
      return due.map(([item]) => ({ item, receipt: schedule(item, now() + holdMs) }))
    },
    async settle({ item, receipt }) {
      if (items.get(item)?.receipt === receipt) items.delete(item)
    },
    async postpone({ item, receipt }, delayMs) {
      if (items.get(item)?.receipt === receipt) schedule(item, now() + delayMs)
    },
  }
}

const MINUTE = 60_000

/** Counts in windows of a minute. Every request passes here, so it answers without a promise. */
function memoryCounter(perMinute: number, now: () => number): Counter {
  const windows = new Map<string, { calls: number; endsAt: number }>()
  let sweepAt = now() + MINUTE

  function open(key: string, at: number): { calls: number; endsAt: number } {
    if (at >= sweepAt) {
      for (const [old, { endsAt }] of windows) if (endsAt <= at) windows.delete(old)
      sweepAt = at + MINUTE
    }
    const window = { calls: 0, endsAt: at + MINUTE }
    windows.set(key, window)
    return window
  }

  return (key) => {
    const at = now()
    const last = windows.get(key)
    const window = last && last.endsAt > at ? last : open(key, at)
    window.calls++
    return window.calls > perMinute ? window.endsAt - at : 0
  }
}
