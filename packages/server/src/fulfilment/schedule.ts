/** What fulfilment does by itself, and when. Its timers keep no process alive. */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEEP_HANDLED_MS, type Store } from '../stores/store.ts'
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

interface SweepOptions {
  store: Pick<Store, 'purchases' | 'handled'>
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

/** Small, so that no write of a shopper's waits long for one of ours. */
const BATCH = 200
const PAUSE_MS = 50

/** Removes what nothing can ask for any more: expired purchases first, then the idempotency records of orders whose purchase is gone. */
export async function sweep({ store, now, signal }: SweepOptions): Promise<void> {
  const before = now() - KEEP_HANDLED_MS
  const removals = [() => store.purchases.sweep(BATCH), () => store.handled.sweep(before, BATCH)]
  for (const remove of removals) {
    while (!signal.aborted && (await remove()) === BATCH) await sleep(PAUSE_MS)
  }
}
