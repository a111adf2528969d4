/** The store for tests and experiments: one process, and nothing survives it. */
import { LRUCache } from 'lru-cache'
import { checkOptions, isClock } from '../options.ts'
import { processLocks } from './locks.ts'
import { memoryPurchases } from './memoryPurchases.ts'
import {
  DEAD_LETTERS,
  type DeadLetter,
  type IdempotencyRecord,
  type Job,
  type Jobs,
  type QueueName,
  type SharedState,
  type Store,
  UNAUTHENTICATED_JOBS,
} from './store.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/** A store in this process's memory. A restart loses purchases, acknowledged webhooks, and the record of orders that `onOrder` has handled. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptions('memoryStore', options, { now: isClock })
  const { now = Date.now } = options
  const { sweep: sweepPurchases, ...purchases } = memoryPurchases(now)
  const hasPurchase = async (id: string): Promise<boolean> => (await purchases.find(id)) !== null
  const { sweep: sweepHandled, ...handled } = memoryHandled(hasPurchase, now)
  return {
    ...memoryShared(now),
    forgets: true,
    purchases,
    jobs: memoryJobs(now),
    handled,
    // Values are bounded by their number.
    async sweep(limit, keepHandledMs) {
      const removed = sweepPurchases(limit)
      return removed + (await sweepHandled(limit - removed, keepHandledMs))
    },
    async close() {},
  }
}

/** Any visitor's refused link is kept as a value. */
const MAX_VALUES = 10_000

function memoryShared(now: () => number): SharedState {
  const values = new LRUCache<string, { value: string; endsAt: number | null }>({ max: MAX_VALUES })

  return {
    async get(key) {
      const entry = values.get(key)
      if (!entry) return null
      const ttlMs = entry.endsAt === null ? null : entry.endsAt - now()
      return ttlMs === null || ttlMs > 0 ? { value: entry.value, ttlMs } : null
    },
    async set(key, value, ttlMs) {
      values.set(key, { value, endsAt: ttlMs === null ? null : now() + ttlMs })
    },
    ...processLocks(),
  }
}

function memoryHandled(hasPurchase: (id: string) => Promise<boolean>, now: () => number) {
  const records = new Map<string, { purchaseId: string | null; addedAt: number }>()
  const keyOf = (orderId: string, type: string): string => JSON.stringify([orderId, type])

  return {
    async has(orderId: string, type: string): Promise<boolean> {
      return records.has(keyOf(orderId, type))
    },
    async add({ orderId, type, purchaseId }: IdempotencyRecord): Promise<boolean> {
      const key = keyOf(orderId, type)
      if (records.has(key)) return false
      records.set(key, { purchaseId, addedAt: now() })
      return true
    },
    async sweep(limit: number, keepMs: number): Promise<number> {
      const before = now() - keepMs
      let removed = 0
      for (const [key, { purchaseId, addedAt }] of records) {
        if (removed === limit || addedAt >= before) break
        if (purchaseId !== null && (await hasPurchase(purchaseId))) continue
        records.delete(key)
        removed++
      }
      return removed
    },
  }
}

interface JobRow {
  readonly key: string
  dueAt: number
  failures: number
  receipt: number
}

/** Jobs: one map per queue. A claim scans the whole map, which is fast enough for tests. */
function memoryJobs(now: () => number): Jobs {
  /** By key, in the order in which they were first added. */
  const queues = {
    trusted: new Map<string, JobRow>(),
    unauthenticated: new Map<string, JobRow>(),
  } satisfies Record<QueueName, unknown>
  /** By key, newest first. */
  const letters = new LRUCache<string, DeadLetter>({ max: DEAD_LETTERS })
  let receipts = 0

  function add(key: string, queue: QueueName): boolean {
    const rows = queues[queue]
    const { dueAt, failures } = rows.get(key) ?? { dueAt: Number.POSITIVE_INFINITY, failures: 0 }
    if (queue === 'unauthenticated' && !rows.has(key) && rows.size >= UNAUTHENTICATED_JOBS) return false
    rows.set(key, { key, dueAt: Math.min(dueAt, now()), failures, receipt: ++receipts })
    return true
  }

  /** Undefined if the job has since been added again or claimed by another worker. */
  function asClaimed({ queue, key, receipt }: Job): JobRow | undefined {
    const row = queues[queue].get(key)
    return row && String(row.receipt) === receipt ? row : undefined
  }

  function remove(job: Job): boolean {
    return asClaimed(job) !== undefined && queues[job.queue].delete(job.key)
  }

  return {
    async add(key, queue) {
      return add(key, queue)
    },
    async claim(queue, limit, holdMs) {
      const at = now()
      const due = [...queues[queue].values()].filter(({ dueAt }) => dueAt <= at)
      due.sort((one, other) => one.dueAt - other.dueAt)
      return due.slice(0, limit).map((row): Job => {
        row.dueAt = at + holdMs
        row.receipt = ++receipts
        return { key: row.key, queue, attempt: row.failures + 1, receipt: String(row.receipt) }
      })
    },
    async hold(job, ms) {
      const row = asClaimed(job)
      if (row) row.dueAt = now() + ms
    },
    async complete(job) {
      const again = remove(job) ? undefined : queues[job.queue].get(job.key)
      if (again) again.failures = 0
    },
    async retry(job, delayMs) {
      const row = asClaimed(job)
      if (!row) return
      row.dueAt = now() + delayMs
      row.failures++
      row.receipt = ++receipts
    },
    async bury(job, reason) {
      remove(job)
      letters.set(job.key, { key: job.key, reason, attempts: job.attempt, diedAt: now() })
    },
    async deadLetters(limit) {
      return [...letters.values()].slice(0, limit)
    },
    async redrive(key) {
      const keys = key === undefined ? [...letters.keys()] : [key].filter((one) => letters.has(one))
      for (const one of keys) {
        letters.delete(one)
        queues.trusted.delete(one)
        add(one, 'trusted')
      }
      return keys.length
    },
  }
}
