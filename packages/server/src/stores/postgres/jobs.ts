/**
 * Jobs in Postgres: a lane is a queue of pg-boss, and dead letters are another. A job that is added while it is claimed is
 * another one beside it, which is why whoever settles the first looks for the second.
 */
import type { PgBoss } from 'pg-boss'
import { DEAD_LETTERS, type DeadLetter, type Job, type Jobs, type Lane, STRANGER_JOBS } from '../store.ts'
import type { Database, Row, Sql } from './database.ts'
import { DEAD_LETTER_QUEUE, type Queues } from './queues.ts'

/** What a job of pg-boss holds. */
interface JobData {
  readonly key: string
}

/** What a job of the dead letters' queue holds. */
interface DeadData extends JobData {
  readonly reason: string
  readonly attempts: number
  readonly diedAt: number
}

/** How long to wait before this instance looks again for jobs whose claimer was killed. */
const SUPERVISE_EVERY_MS = 2_000
const REDRIVE_AT_ONCE = 1_000

export function postgresJobs(database: Database, queues: Queues): Jobs {
  const table = `${queues.schema}.job`
  let superviseAt = 0

  /** Lets pg-boss bring back the jobs of killed claimers. That fails where another instance does it, or with the claim. */
  async function supervise(boss: PgBoss): Promise<void> {
    if (performance.now() < superviseAt) return
    superviseAt = performance.now() + SUPERVISE_EVERY_MS
    await boss.supervise().catch(() => {})
  }

  /** Settles a claimed job that is still this claimer's, in one transaction. `isAlone`: it was not added again meanwhile. */
  async function settle(
    job: Job,
    end: (boss: PgBoss, db: BossSql, isAlone: boolean) => Promise<void>,
  ): Promise<void> {
    const boss = await queues.boss()
    await database.transaction(async (sql) => {
      const [held] = await sql.run(
        `SELECT EXISTS (SELECT 1 FROM ${table} AS again WHERE again.name = job.name
            AND again.singleton_key = job.singleton_key AND again.state < 'active') AS again
          FROM ${table} AS job WHERE job.name = $1 AND job.id = $2 AND job.state = 'active' AND job.retry_count = $3
          FOR UPDATE OF job`,
        ...[job.lane, job.receipt, job.attempt - 1],
      )
      if (held) await end(boss, bossSql(sql), !held.again)
    })
  }

  async function complete(boss: PgBoss, db: BossSql, job: Job): Promise<void> {
    await boss.complete(job.lane, job.receipt, null, { db })
  }

  async function addStranger(boss: PgBoss, key: string): Promise<boolean> {
    return database.transaction(async (sql) => {
      await sql.lock(`${queues.schema} stranger lane`)
      const db = bossSql(sql)
      const { updated } = await boss.update('stranger', { key }, { singletonKey: key, startAfter: 0, db })
      if (updated > 0) return true
      const [row] = await sql.run(
        `SELECT count(*) AS jobs FROM ${table} WHERE name = 'stranger' AND state <= 'active'`,
      )
      if (Number(row?.jobs) >= STRANGER_JOBS) return false
      await boss.send('stranger', { key }, { singletonKey: key, db })
      return true
    })
  }

  return {
    async add(key, lane) {
      const boss = await queues.boss()
      if (lane === 'stranger') return addStranger(boss, key)
      await boss.upsert(lane, { key }, { singletonKey: key, startAfter: 0 })
      return true
    },
    async claim(lane, limit, holdMs) {
      const boss = await queues.boss()
      await supervise(boss)
      const jobs = await boss.fetch<JobData>(lane, { batchSize: limit })
      if (jobs.length === 0) return []
      await database.query(
        `UPDATE ${table} SET expire_seconds = $3 WHERE name = $1 AND id = ANY($2::uuid[])`,
        ...[lane, jobs.map(({ id }) => id), Math.max(1, Math.ceil(holdMs / 1_000))],
      )
      return jobs.map(({ id, data, retryCount }) => ({
        key: data.key,
        lane,
        attempt: retryCount + 1,
        receipt: id,
      }))
    },
    complete: (job) => settle(job, (boss, db) => complete(boss, db, job)),
    retry: (job, delayMs) =>
      settle(job, async (boss, db, isAlone) => {
        if (!isAlone) return complete(boss, db, job)
        await boss.fail(job.lane, job.receipt, null, { db })
        await boss.update(job.lane, undefined, { id: job.receipt, startAfter: `${delayMs} milliseconds`, db })
      }),
    bury: (job, reason) =>
      settle(job, async (boss, db, isAlone) => {
        await complete(boss, db, job)
        if (!isAlone) return
        const letter: DeadData = { key: job.key, reason, attempts: job.attempt, diedAt: Date.now() }
        await boss.upsert(DEAD_LETTER_QUEUE, letter, { singletonKey: job.key, db })
        await db.executeSql(
          `DELETE FROM ${table} WHERE name = $1 AND id IN (
            SELECT id FROM ${table} WHERE name = $1 AND state < 'active' ORDER BY ${byDeath} OFFSET $2)`,
          [DEAD_LETTER_QUEUE, DEAD_LETTERS],
        )
      }),
    async deadLetters(limit) {
      await queues.boss()
      const rows = await database.query(
        `SELECT data::text AS data FROM ${table} WHERE name = $1 AND state < 'active' ORDER BY ${byDeath} LIMIT $2`,
        ...[DEAD_LETTER_QUEUE, limit],
      )
      return rows.map(letterOf)
    },
    async redrive(key) {
      const boss = await queues.boss()
      const destination: Lane = 'trusted'
      if (key !== undefined) return boss.redrive(DEAD_LETTER_QUEUE, { destination, data: { key } })
      let sum = 0
      for (let moved = REDRIVE_AT_ONCE; moved === REDRIVE_AT_ONCE; sum += moved) {
        moved = await boss.redrive(DEAD_LETTER_QUEUE, { destination, limit: REDRIVE_AT_ONCE })
      }
      return sum
    },
  }
}

const byDeath = `(data->>'diedAt')::bigint DESC`

function letterOf({ data }: Row): DeadLetter {
  const { key, reason, attempts, diedAt } = JSON.parse(String(data)) as DeadData
  return { key, reason, attempts, diedAt }
}

/** A transaction as pg-boss takes it. */
interface BossSql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

const bossSql = (sql: Sql): BossSql => ({ executeSql: (text, values) => sql.query(text, values) })
