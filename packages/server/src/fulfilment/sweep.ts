/** Removes what nothing can ask for any more: expired purchases first, then the idempotency records of orders whose purchase is gone. */
import { setTimeout } from 'node:timers/promises'
import { KEEP_HANDLED_MS, type Store } from '../stores/store.ts'

interface SweepOptions {
  store: Pick<Store, 'purchases' | 'handled'>
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

/** Small, so that no write of a shopper's waits long for one of ours. */
const BATCH = 200
const PAUSE_MS = 50

export async function sweep({ store, now, signal }: SweepOptions): Promise<void> {
  const before = now() - KEEP_HANDLED_MS
  const removals = [() => store.purchases.sweep(BATCH), () => store.handled.sweep(before, BATCH)]
  for (const remove of removals) {
    while (!signal.aborted && (await remove()) === BATCH) await setTimeout(PAUSE_MS)
  }
}
