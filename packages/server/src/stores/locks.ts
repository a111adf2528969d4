/**
 * Locks, in a process and over rows of a database: each row has a holder and an end, so that a holder that was killed does not hold for ever.
 */
import { setInterval, setTimeout as sleep } from 'node:timers'

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

/**
 * Callers of one process wait in memory, so that only the first of them asks the database.
 *
 * @throws Error when the lock was not to be had in 30 seconds.
 */
export function rowLocks({
  take,
  renew,
  free,
}: LockRows): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const inTurn = oneAfterAnother()

  async function hold<T>(key: string, task: () => Promise<T>): Promise<T> {
    const holder = crypto.randomUUID()
    const giveUpAt = performance.now() + LOCK_WAIT_MS
    while (!(await take(key, holder, LOCK_MS))) {
      if (performance.now() > giveUpAt) throw new Error('The lock was held by another for too long.')
      await pause(RETRY_EVERY_MS)
    }
    // A database that is gone for a moment: the next renewal may succeed.
    const renewal = setInterval(() => void renew(key, holder, LOCK_MS).catch(() => {}), LOCK_MS / 3)
    renewal.unref()
    try {
      return await task()
    } finally {
      clearInterval(renewal)
      // What cannot be freed ends by itself.
      await free(key, holder).catch(() => {})
    }
  }

  return (key, task) => inTurn(key, () => hold(key, task))
}

/** Runs the tasks of one key one after another, in this process. */
export function oneAfterAnother(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task)
    const settled = turn.catch(() => {})
    last.set(key, settled)
    settled.then(() => {
      if (last.get(key) === settled) last.delete(key)
    })
    return turn
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => sleep(resolve, ms))
