/** Locks within a process and over database rows, which expire, so that a killed holder does not keep one for ever. */
import { setInterval } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import type { SharedState } from './store.ts'

/** How long a lock outlives a killed holder. A live holder renews it. */
const LOCK_MS = 5_000
/** How long to wait for a live holder: longer than a call to the service may take. */
const LOCK_WAIT_MS = 30_000
const RETRY_EVERY_MS = 50

export interface LockRows {
  /** One atomic write. False: another caller holds the lock. */
  take(key: string, holder: string, ms: number): Promise<boolean>
  /** Never reacquires a lock that was freed meanwhile. */
  renew(key: string, holder: string, ms: number): Promise<void>
  free(key: string, holder: string): Promise<void>
}

type Locks = Pick<SharedState, 'withLock' | 'tryLock'>

/** Callers within one process wait in memory, so that only the first of them queries the database. It waits for at most 30 seconds. */
export function rowLocks({ take, renew, free }: LockRows): Locks {
  const { withLock } = processLocks()

  /** Returns a function that frees the lock, or null when the lock could not be acquired. */
  async function acquire(key: string, waitMs: number): Promise<(() => Promise<void>) | null> {
    const holder = crypto.randomUUID()
    const giveUpAt = performance.now() + waitMs
    while (!(await take(key, holder, LOCK_MS))) {
      if (performance.now() >= giveUpAt) return null
      await pause(RETRY_EVERY_MS)
    }
    // Failures are ignored: the database may be back for the next renewal.
    const renewal = setInterval(() => void renew(key, holder, LOCK_MS).catch(() => {}), LOCK_MS / 3)
    renewal.unref()
    return async () => {
      clearInterval(renewal)
      // A lock that cannot be freed expires by itself.
      await free(key, holder).catch(() => {})
    }
  }

  return {
    withLock: (key, task) =>
      withLock(key, async () => {
        const release = await acquire(key, LOCK_WAIT_MS)
        if (!release) throw new Error('The lock was held by another for too long.')
        return task().finally(release)
      }),
    async tryLock(key, task) {
      const release = await acquire(key, 0)
      return release ? task().finally(release) : null
    },
  }
}

export function processLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()

  function withLock<T>(key: string, task: () => Promise<T>): Promise<T> {
    const run = (last.get(key) ?? Promise.resolve()).then(task)
    const turn = run.finally(() => {
      if (last.get(key) === settled) last.delete(key)
    })
    const settled = turn.catch(() => {})
    last.set(key, settled)
    return turn
  }

  return { withLock, tryLock: async (key, task) => (last.has(key) ? null : withLock(key, task)) }
}
