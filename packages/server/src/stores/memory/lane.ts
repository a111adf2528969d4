/** One lane of jobs in memory: a heap ordered by when jobs are due, so that no call looks at all of them. */
import type { Job, Lane } from '../store.ts'
import { createHeap, type HeapEntry } from './heap.ts'

/** The rank is when the job is due. */
interface Entry extends HeapEntry {
  readonly key: string
  failures: number
  receipt: string
}

export interface MemoryLane {
  /** False when the lane is full. */
  add(key: string): boolean
  claim(limit: number, holdMs: number): Job[]
  renew(job: Job): void
  retry(job: Job, delayMs: number): void
  /** False when it was added again, or claimed by another, since. */
  remove(job: Job): boolean
  countAnew(key: string): void
}

export function memoryLane(lane: Lane, most: number, now: () => number): MemoryLane {
  const heap = createHeap<Entry>()
  const byKey = new Map<string, Entry>()
  let order = 0

  const nextReceipt = (): string => String(++order)

  /** The job as it was claimed. */
  function claimed({ key, receipt }: Job): Entry | undefined {
    const entry = byKey.get(key)
    return entry?.receipt === receipt ? entry : undefined
  }

  function schedule(entry: Entry, dueAt: number): void {
    entry.rank = dueAt
    entry.receipt = nextReceipt()
    entry.order = order
    heap.moved(entry)
  }

  return {
    add(key) {
      const present = byKey.get(key)
      if (present) schedule(present, Math.min(present.rank, now()))
      if (present || byKey.size >= most) return present !== undefined
      const entry = { key, failures: 0, receipt: nextReceipt(), rank: now(), order, place: 0 }
      byKey.set(key, entry)
      heap.push(entry)
      return true
    },
    claim(limit, holdMs) {
      const at = now()
      const due: Entry[] = []
      for (let entry = heap.top(); entry && entry.rank <= at && due.length < limit; entry = heap.top()) {
        heap.remove(entry)
        due.push(entry)
      }
      return due.map((entry): Job => {
        entry.rank = at + holdMs
        entry.receipt = nextReceipt()
        heap.push(entry)
        return { key: entry.key, lane, attempt: entry.failures + 1, receipt: entry.receipt, holdMs }
      })
    },
    renew(job) {
      const entry = claimed(job)
      if (!entry) return
      entry.rank = now() + job.holdMs
      heap.moved(entry)
    },
    retry(job, delayMs) {
      const entry = claimed(job)
      if (!entry) return
      entry.failures++
      schedule(entry, now() + delayMs)
    },
    remove(job) {
      const entry = claimed(job)
      if (!entry) return false
      heap.remove(entry)
      return byKey.delete(entry.key)
    },
    countAnew(key) {
      const entry = byKey.get(key)
      if (entry) entry.failures = 0
    },
  }
}
