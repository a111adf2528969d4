/** One queue of jobs: takes them from the store, tries them, and says when each comes back, or makes it a dead letter. */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { clearInterval, setInterval, setTimeout } from 'node:timers'
import { traced } from '../client/diagnostics.ts'
import type { ErrorContext } from '../errors.ts'
import type { Job, Jobs, QueueName } from '../stores/store.ts'
import { failureKindOf, reasonOf, retryDelay, UnknownOrder } from './attempts.ts'
import { hintOf, type OrderHint } from './webhook.ts'
import { createWorkerPool, type WorkerPool } from './workerPool.ts'

export interface QueueOptions {
  name: QueueName
  jobs: Jobs
  workers: number
  /** Milliseconds that a worker is busy with each job at least: it bounds the rate. */
  paceMs: number
  /** False: the service knows no such order. */
  handle: (hint: OrderHint) => Promise<boolean>
  onError: (error: unknown, context?: ErrorContext) => void
}

/** Retries that are due sooner than the next claim get a timer of their own. */
export const CLAIM_EVERY_MS = 5_000

export function createQueue(options: QueueOptions): WorkerPool {
  const { name, jobs, workers, paceMs, handle, onError } = options
  const heartbeat = createHeartbeat({ jobs, onError })
  const running = new Set<string>()
  /** Jobs that were added again while they ran: they wait outside of the pool, where they are in nobody's way. */
  const parked = new Map<string, Job>()

  const pool = createWorkerPool<Job>({
    workers,
    take: (limit) => jobs.claim(name, limit, HOLD_MS),
    work: async (job) => {
      heartbeat.start(job)
      if (running.has(job.key)) return park(job).catch(onError)
      running.add(job.key)
      await Promise.all([attempt(job).catch(onError), sleep(paceMs)])
      running.delete(job.key)
      heartbeat.stop(job)
      await unpark(job.key).catch(onError)
    },
    onError,
  })

  async function attempt(job: Job): Promise<void> {
    const hint = hintOf(job.key)
    try {
      const isKnown = await traced('fulfilment', name, () => handle(hint))
      if (!isKnown) throw new UnknownOrder()
      await jobs.complete(job)
    } catch (error) {
      await fail(job, error, failureKindOf(error, 'type' in hint))
    }
  }

  async function fail(job: Job, error: unknown, failure: ReturnType<typeof failureKindOf>): Promise<void> {
    const waitMs = retryDelay(job.attempt, name, failure)
    const isLast = waitMs === null && name === 'trusted'
    if (failure !== 'unknown' || isLast) {
      const hint = hintOf(job.key)
      const about = 'order_id' in hint ? { orderId: hint.order_id } : {}
      onError(error, { during: 'fulfilment', ...about, attempt: job.attempt })
    }
    if (waitMs !== null) {
      await jobs.retry(job, waitMs)
      if (waitMs < CLAIM_EVERY_MS) setTimeout(pool.wake, waitMs + 1).unref()
    } else if (name === 'unauthenticated') {
      await jobs.complete(job)
    } else {
      await jobs.bury(job, reasonOf(error))
    }
  }

  async function park(job: Job): Promise<void> {
    const earlier = parked.get(job.key)
    parked.set(job.key, job)
    if (!earlier) return
    // The later one stands for both.
    heartbeat.stop(earlier)
    await jobs.complete(earlier)
  }

  async function unpark(key: string): Promise<void> {
    const job = parked.get(key)
    parked.delete(key)
    if (!job) return
    heartbeat.stop(job)
    await jobs.retry(job, 0)
  }

  return pool
}

const sleep = (ms: number): Promise<void> | undefined =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined

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
