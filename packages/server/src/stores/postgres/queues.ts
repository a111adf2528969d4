/** The queues of pg-boss that jobs and dead letters are in, made when they are first needed. */
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, PgBoss } from 'pg-boss'
import { within } from '../../within.ts'
import type { Lane } from '../store.ts'
import { ANSWER_MS, type PostgresPool } from './database.ts'

export const DEAD_LETTER_QUEUE = 'dead-letters'

const QUEUES = { trusted: 'trusted', stranger: 'stranger', dead: DEAD_LETTER_QUEUE } satisfies Record<
  Lane | 'dead',
  string
>

/** How often, at most, all instances together look for jobs whose claimer was killed. */
const MONITOR_SECONDS = 2
const MOST_STARTS = 3
const START_AGAIN_MS = 200
const NO_JOB = '00000000-0000-0000-0000-000000000000'
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const YEAR_SECONDS = 365 * DAY_SECONDS

export interface Queues {
  /** Where pg-boss has its tables. */
  readonly schema: string
  boss(): Promise<PgBoss>
  close(): Promise<void>
}

export function openQueues(pool: PostgresPool, schema: string): Queues {
  let started: Promise<PgBoss> | null = null
  return {
    schema,
    boss() {
      started ??= startWithOthers(pool, schema).catch((error: unknown) => {
        started = null
        throw error
      })
      return started
    },
    async close() {
      const boss = await started?.catch(() => null)
      started = null
      await boss?.stop({ graceful: false })
    },
  }
}

/** Of instances that make the schema at once, one succeeds; the rest find it made when they try again. */
async function startWithOthers(pool: PostgresPool, schema: string): Promise<PgBoss> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(pool, schema)
    } catch (error) {
      if (tries === MOST_STARTS) throw error
      await pause(START_AGAIN_MS)
    }
  }
}

async function start(pool: PostgresPool, schema: string): Promise<PgBoss> {
  const boss = new PgBoss({
    schema,
    db: { executeSql: (text, values) => within(ANSWER_MS, pool.query(text, values), 'Postgres') },
    clock: restful,
    // Looking after the queues is done with the claims: no timer of pg-boss does it, and it runs no schedules.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: MONITOR_SECONDS,
    maintenanceIntervalSeconds: HOUR_SECONDS,
  })
  // What fails shows in each call.
  boss.on('error', () => {})
  try {
    await boss.start()
    for (const name of Object.values(QUEUES)) {
      await boss.createQueue(name, {
        // One waiting job for each key.
        policy: 'short',
        // Our own attempts end long before: the one who claims says when a job is to be buried.
        retryLimit: 1_000_000,
        retryDelay: 0,
        // Renewed by whoever works at a job. A claim sets its own; this one is for a process that is killed before that.
        heartbeatSeconds: 10,
        // The longest that pg-boss allows: it is the heartbeat that ends a claim.
        expireInSeconds: DAY_SECONDS,
        retentionSeconds: YEAR_SECONDS,
        deleteAfterSeconds: HOUR_SECONDS,
      })
      // pg-boss looks a queue up when it first meets it, on another connection. Inside a transaction there may be none left.
      await boss.findJobs(name, { id: NO_JOB })
    }
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

/** Timers that let the process end. */
const restful: Clock = {
  now: Date.now,
  setTimeout: (task, ms) => setTimeout(task, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (task, ms) => setInterval(task, ms).unref(),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
}
