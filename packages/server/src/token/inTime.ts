/** A shared store that answers in time, or counts as gone: one that hangs must not hang every caller. */
import type { SharedState } from '../stores/store.ts'
import { within } from '../within.ts'

type Shared = Pick<SharedState, 'get' | 'set' | 'withLock'>

const COMMAND_MS = 3_000
/** Longer than a holder that lives needs: it may create a token and read its expiry. */
const LOCK_WAIT_MS = 35_000

export function inTime(store: Shared): Shared {
  return {
    get: (key) => limited(() => store.get(key)),
    set: (key, value, ttlMs) => limited(() => store.set(key, value, ttlMs)),
    withLock: (key, task) => lockInTime(store, key, task),
  }
}

/** A store may also throw instead of rejecting. */
const limited = async <T>(command: () => Promise<T>): Promise<T> => within(COMMAND_MS, command(), 'The store')

/** Limits the wait for the lock, and settles with the task: the store may hang when the lock is given back. */
function lockInTime<T>(store: Shared, key: string, task: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error('The lock did not come in time.'))
    }, LOCK_WAIT_MS)
    const turn = store.withLock(key, async () => {
      if (isLate) return
      clearTimeout(timer)
      await task().then(resolve, reject)
    })
    turn.catch((error: unknown) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
