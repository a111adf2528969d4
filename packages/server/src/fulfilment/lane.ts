/** One lane of jobs: takes them from the store, tries them, and says when each comes back or that it is dead. */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setTimeout } from 'node:timers'
import { traced } from '../client/diagnostics.ts'
import type { Job, Jobs, Lane as LaneName } from '../stores/store.ts'
import { reasonOf, setbackOf, waitAfter } from './attempts.ts'
import { hintOf, type OrderHint } from './hint.ts'
import { createWorkerPool, type WorkerPool } from './workerPool.ts'

export interface LaneOptions {
  name: LaneName
  jobs: Jobs
  workers: number
  /** Milliseconds that a worker is busy with each job at least: it bounds the rate. */
  paceMs: number
  /** Milliseconds after which a job comes back whose process was killed. */
  holdMs: number
  /** False: the service knows no such order. */
  handle: (hint: OrderHint) => Promise<boolean>
  onError: (error: unknown) => void
}

/** Retries that are due sooner than the next look at the store get a timer of their own. */
export const LOOK_EVERY_MS = 5_000

export function createLane(options: LaneOptions): WorkerPool {
  const { name, jobs, workers, paceMs, holdMs, handle, onError } = options
  const running = new Set<string>()
  /** Jobs that were added again while they ran: they wait outside of the pool, where they are in nobody's way. */
  const parked = new Map<string, Job>()

  const pool = createWorkerPool<Job>({
    workers,
    take: (limit) => jobs.claim(name, limit, holdMs),
    work: async (job) => {
      if (running.has(job.key)) {
        parked.set(job.key, job)
        return
      }
      running.add(job.key)
      await Promise.all([attempt(job).catch(onError), sleep(paceMs)])
      running.delete(job.key)
      await unpark(job.key).catch(onError)
    },
    onError,
  })

  async function attempt(job: Job): Promise<void> {
    try {
      if (await traced('fulfilment', name, () => handle(hintOf(job.key)))) await jobs.complete(job)
      else await setBack(job, new Error('the service knows no such order'), 'unknown')
    } catch (error) {
      const setback = setbackOf(error)
      if (setback === 'failed') onError(error)
      await setBack(job, error, setback)
    }
  }

  async function setBack(job: Job, error: unknown, setback: ReturnType<typeof setbackOf>): Promise<void> {
    const waitMs = waitAfter(job.attempt, name, setback)
    if (waitMs !== null) {
      await jobs.retry(job, waitMs)
      if (waitMs < LOOK_EVERY_MS) setTimeout(pool.wake, waitMs + 1).unref()
    } else if (name === 'stranger') {
      await jobs.complete(job)
    } else {
      await jobs.bury(job, reasonOf(error))
    }
  }

  async function unpark(key: string): Promise<void> {
    const job = parked.get(key)
    parked.delete(key)
    if (job) await jobs.retry(job, 0)
  }

  return pool
}

const sleep = (ms: number): Promise<void> | undefined =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
