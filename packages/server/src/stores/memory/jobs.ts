/** Jobs in memory: two lanes, and the dead letters beside them. */
import { type Jobs, type Lane, STRANGER_JOBS } from '../store.ts'
import { memoryDeadLetters } from './deadLetters.ts'
import { type MemoryLane, memoryLane } from './lane.ts'

export function memoryJobs(now: () => number): Jobs {
  const lanes: Record<Lane, MemoryLane> = {
    trusted: memoryLane('trusted', Number.POSITIVE_INFINITY, now),
    stranger: memoryLane('stranger', STRANGER_JOBS, now),
  }
  const dead = memoryDeadLetters()

  return {
    async add(key, lane) {
      return lanes[lane].add(key)
    },
    async claim(lane, limit, holdMs) {
      return lanes[lane].claim(limit, holdMs)
    },
    async renew(jobs) {
      for (const job of jobs) lanes[job.lane].renew(job)
    },
    async complete(job) {
      const lane = lanes[job.lane]
      if (!lane.remove(job)) lane.countAnew(job.key)
    },
    async retry(job, delayMs) {
      lanes[job.lane].retry(job, delayMs)
    },
    async bury(job, reason) {
      if (!lanes[job.lane].remove(job)) return
      dead.add({ key: job.key, reason, attempts: job.attempt, diedAt: now() })
    },
    async deadLetters(limit) {
      return dead.list(limit)
    },
    async redrive(key) {
      const keys = dead.take(key)
      for (const one of keys) {
        lanes.trusted.add(one)
        lanes.trusted.countAnew(one)
      }
      return keys.length
    },
  }
}
