/**
 * Locks, in a process and over rows of a database: each row has a holder and an end, so that a holder that was killed does not hold for ever.
 */
import { setInterval } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import type { SharedState } from './store.ts'

/** How long a lock outlives a holder that was killed. A living holder renews it. */
const LOCK_MS = 5_000
/** How long to wait for a holder that lives: longer than a call to the service may take. */
const LOCK_WAIT_MS = 30_000
const RETRY_EVERY_MS = 50

export interface LockRows {
  /** One atomic write. False: another has it. */
  take(key: string, holder: string, ms: number): Promise<boolean>
  /** Never takes a lock that was freed meanwhile. */
  renew(key: string, holder: string, ms: number): Promise<void>
  free(key: string, holder: string): Promise<void>
}

type Locks = Pick<SharedState, 'withLock' | 'tryLock'>

/** Callers of one process wait in memory, so that only the first of them asks the database. Nobody waits for longer than 30 seconds. */
export function rowLocks({ take, renew, free }: LockRows): Locks {
  const { withLock } = processLocks()

  /** Gives what frees the lock, or null when it was not to be had. */
  async function acquire(key: string, waitMs: number): Promise<(() => Promise<void>) | null> {
    const holder = crypto.randomUUID()
    const giveUpAt = performance.now() + waitMs
    while (!(await take(key, holder, LOCK_MS))) {
      if (performance.now() >= giveUpAt) return null
      await pause(RETRY_EVERY_MS)
    }
    // A database that is gone for a moment: the next renewal may succeed.
    const renewal = setInterval(() => void renew(key, holder, LOCK_MS).catch(() => {}), LOCK_MS / 3)
    renewal.unref()
    return async () => {
      clearInterval(renewal)
      // What cannot be freed ends by itself.
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

/** Locks of this process. */
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
