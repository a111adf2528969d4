/** Reconciles in one instance at a time, also after one was killed in the middle. */
import { clearInterval, setInterval } from 'node:timers'
import type { Store } from '../stores/store.ts'

/** Runs the task. False while another instance runs one. */
export type RunInOneInstance = (task: () => Promise<void>) => Promise<boolean>

export interface OneInstanceOptions {
  store: Pick<Store, 'get' | 'set' | 'withLock'>
  onError: (error: unknown) => void
}

const RUNNING = 'reconcile:running'
/** How long a killed instance keeps others from it. A living one renews it. */
const HOLD_MS = 15_000

export function createOneInstance({ store, onError }: OneInstanceOptions): RunInOneInstance {
  /** True for the one instance that may go on. */
  const take = (): Promise<boolean> =>
    store.withLock('reconcile', async () => {
      if ((await kept(store, RUNNING, HOLD_MS)) === 'yes') return false
      await store.set(RUNNING, 'yes', HOLD_MS)
      return true
    })

  return async (task) => {
    if (!(await take())) return false
    const renewal = setInterval(() => store.set(RUNNING, 'yes', HOLD_MS).catch(onError), HOLD_MS / 3)
    try {
      await task()
    } finally {
      clearInterval(renewal)
      await store.set(RUNNING, 'no', 1)
    }
    return true
  }
}

/**
 * @param mostMs what the value was given to live.
 * @returns null also for one that has longer to live than that: the clock was set back, and it would stay for as long.
 */
export async function kept(store: Pick<Store, 'get'>, key: string, mostMs: number): Promise<string | null> {
  const stored = await store.get(key)
  return stored && (stored.ttlMs ?? Number.POSITIVE_INFINITY) <= mostMs ? stored.value : null
}
