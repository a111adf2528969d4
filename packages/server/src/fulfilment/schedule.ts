/** When fulfilment reads the store by itself. Its timers keep no process alive. */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import { CLAIM_EVERY_MS } from './queue.ts'
import { RECONCILE_EVERY_MS } from './reconcile.ts'

export interface Schedule {
  /** Cheap when it has started; does nothing once it was stopped. */
  start(): void
  stop(): void
}

interface Tasks {
  wake(): void
  reconcile(): void
  sweep(): void
}

const SWEEP_EVERY_MS = 3_600_000
/** So that the first requests of a process have it for themselves. */
const FIRST_RECONCILE_MS = 1_000

export function createSchedule({ wake, reconcile, sweep }: Tasks): Schedule {
  let state: 'new' | 'running' | 'stopped' = 'new'
  const timers: NodeJS.Timeout[] = []

  return {
    start() {
      if (state !== 'new') return
      state = 'running'
      timers.push(
        setInterval(wake, CLAIM_EVERY_MS),
        setTimeout(reconcile, FIRST_RECONCILE_MS),
        setInterval(reconcile, RECONCILE_EVERY_MS),
        setTimeout(sweep, FIRST_RECONCILE_MS),
        setInterval(sweep, SWEEP_EVERY_MS),
      )
      for (const timer of timers) timer.unref()
      wake()
    },
    stop() {
      state = 'stopped'
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
