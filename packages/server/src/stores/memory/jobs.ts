/** Jobs in memory: a map for each queue. A claim looks at all of them, which is enough for tests. */
import {
  DEAD_LETTERS,
  type DeadLetter,
  type Job,
  type Jobs,
  type QueueName,
  UNAUTHENTICATED_JOBS,
} from '../store.ts'

interface Row {
  readonly key: string
  dueAt: number
  failures: number
  receipt: number
}

export function memoryJobs(now: () => number): Jobs {
  /** By key, in the order in which they were first added. */
  const queues = {
    trusted: new Map<string, Row>(),
    unauthenticated: new Map<string, Row>(),
  } satisfies Record<QueueName, unknown>
  /** By key, oldest first. */
  const letters = new Map<string, DeadLetter>()
  let receipts = 0

  function add(key: string, queue: QueueName): boolean {
    const rows = queues[queue]
    const { dueAt, failures } = rows.get(key) ?? { dueAt: Number.POSITIVE_INFINITY, failures: 0 }
    if (queue === 'unauthenticated' && !rows.has(key) && rows.size >= UNAUTHENTICATED_JOBS) return false
    rows.set(key, { key, dueAt: Math.min(dueAt, now()), failures, receipt: ++receipts })
    return true
  }

  /** Undefined for a job that was added again, or claimed by another, since. */
  function asClaimed({ queue, key, receipt }: Job): Row | undefined {
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
      if (!remove(job)) return
      keepNewest(letters, { key: job.key, reason, attempts: job.attempt, diedAt: now() })
    },
    async deadLetters(limit) {
      return [...letters.values()].reverse().slice(0, limit)
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

function keepNewest(letters: Map<string, DeadLetter>, letter: DeadLetter): void {
  letters.delete(letter.key)
  letters.set(letter.key, letter)
  const [oldest] = letters.keys()
  if (letters.size > DEAD_LETTERS && oldest !== undefined) letters.delete(oldest)
}
