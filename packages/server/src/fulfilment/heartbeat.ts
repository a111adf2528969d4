/** Tells the store that this process still works at its jobs: they come back soon after it was killed, and not while it lives. */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { clearInterval, setInterval } from 'node:timers'
import type { Job, Jobs } from '../stores/store.ts'

export interface Heartbeat {
  start(job: Job): void
  stop(job: Job): void
}

/** Milliseconds after which a job comes back whose process was killed. */
export const HOLD_MS = 8_000
/** Three renewals may fail or be late before a job comes back that is still worked at. */
const RENEW_EVERY_MS = 2_000

export function createHeartbeat({
  jobs,
  onError,
}: {
  jobs: Pick<Jobs, 'renew'>
  onError: (error: unknown) => void
}): Heartbeat {
  const held = new Set<Job>()
  let timer: NodeJS.Timeout | undefined
  let isRenewing = false

  async function renew(): Promise<void> {
    // A store that does not answer is asked once at a time.
    if (isRenewing) return
    isRenewing = true
    await jobs.renew([...held]).catch(onError)
    isRenewing = false
  }

  return {
    start(job) {
      held.add(job)
      timer ??= setInterval(renew, RENEW_EVERY_MS).unref()
    },
    stop(job) {
      held.delete(job)
      if (held.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
