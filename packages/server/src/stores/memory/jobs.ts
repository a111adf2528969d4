/** Jobs in memory: a heap for each lane, ordered by when jobs are due, so that no call looks at all of them. */
import { DEAD_LETTERS, type DeadLetter, type Job, type Jobs, type Lane, STRANGER_JOBS } from '../store.ts'
import { createHeap, type Heap, type HeapEntry } from './heap.ts'

/** The rank is when the job is due. */
interface Entry extends HeapEntry {
  readonly key: string
  claims: number
  receipt: string
}

interface LaneJobs {
  readonly most: number
  readonly heap: Heap<Entry>
  readonly byKey: Map<string, Entry>
}

const laneOf = (most: number): LaneJobs => ({ most, heap: createHeap(), byKey: new Map() })

export function memoryJobs(now: () => number): Jobs {
  const lanes: Record<Lane, LaneJobs> = {
    trusted: laneOf(Number.POSITIVE_INFINITY),
    stranger: laneOf(STRANGER_JOBS),
  }
  /** Oldest first. */
  const dead = new Map<string, DeadLetter>()
  let order = 0

  const nextReceipt = (): string => String(++order)

  /** The job as it was claimed; undefined when it was added again, or claimed by another, since. */
  function claimed({ key, lane, receipt }: Job): Entry | undefined {
    const entry = lanes[lane].byKey.get(key)
    return entry?.receipt === receipt ? entry : undefined
  }

  function remove(entry: Entry, lane: Lane): void {
    lanes[lane].heap.remove(entry)
    lanes[lane].byKey.delete(entry.key)
  }

  function schedule(entry: Entry, lane: Lane, dueAt: number): void {
    entry.rank = dueAt
    entry.order = ++order
    entry.receipt = String(entry.order)
    lanes[lane].heap.moved(entry)
  }

  /** Null when the lane is full. */
  function put(key: string, lane: Lane): Entry | null {
    const { heap, byKey, most } = lanes[lane]
    const present = byKey.get(key)
    if (present) {
      schedule(present, lane, Math.min(present.rank, now()))
      return present
    }
    if (byKey.size >= most) return null
    const entry = { key, claims: 0, receipt: nextReceipt(), rank: now(), order, place: 0 }
    byKey.set(key, entry)
    heap.push(entry)
    return entry
  }

  return {
    async add(key, lane) {
      return put(key, lane) !== null
    },
    async claim(lane, limit, holdMs) {
      const { heap } = lanes[lane]
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
        return { key: entry.key, lane, attempt: ++entry.claims, receipt: entry.receipt }
      })
    },
    async complete(job) {
      const entry = claimed(job)
      if (entry) return remove(entry, job.lane)
      const again = lanes[job.lane].byKey.get(job.key)
      if (again) again.claims = 0
    },
    async retry(job, delayMs) {
      const entry = claimed(job)
      if (entry) schedule(entry, job.lane, now() + delayMs)
    },
    async bury(job, reason) {
      const entry = claimed(job)
      if (!entry) return
      remove(entry, job.lane)
      dead.delete(job.key)
      dead.set(job.key, { key: job.key, reason, attempts: job.attempt, diedAt: now() })
      const [oldest] = dead.keys()
      if (dead.size > DEAD_LETTERS && oldest !== undefined) dead.delete(oldest)
    },
    async deadLetters(limit) {
      return [...dead.values()].reverse().slice(0, limit)
    },
    async redrive(key) {
      const keys = key === undefined ? [...dead.keys()] : [key].filter((one) => dead.has(one))
      for (const one of keys) {
        const entry = put(one, 'trusted')
        if (entry) entry.claims = 0
        dead.delete(one)
      }
      return keys.length
    },
  }
}
