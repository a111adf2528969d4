/**
 * Jobs in Postgres: a lane is a queue of pg-boss, and dead letters are another. A job that is added while it is claimed is
 * another one beside it, which is why whoever settles the first looks for the second.
 */
import type { PgBoss } from 'pg-boss'
import { type Job, type Jobs, STRANGER_JOBS } from '../store.ts'
import { type BossSql, bossSql } from './bossSql.ts'

import type { Database } from './database.ts'
import { postgresDeadLetters } from './deadLetters.ts'
import { claimOf, type JobData, postgresClaims } from './jobClaims.ts'
import type { Queues } from './queues.ts'

export function postgresJobs(database: Database, queues: Queues): Jobs {
  const table = `${queues.schema}.job`
  const dead = postgresDeadLetters(database, queues)

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
        ...[job.lane, ...claimOf(job)],
      )
      if (held) await end(boss, bossSql(sql), !held.again)
    })
  }

  return {
    async add(key, lane) {
      const boss = await queues.boss()
      if (lane === 'stranger') return addStranger(database, boss, queues.schema, key)
      await boss.upsert(lane, { key }, { singletonKey: key, startAfter: 0 })
      return true
    },
    ...postgresClaims(database, queues),
    complete: (job) => settle(job, (boss, db) => complete(boss, db, job)),
    retry: (job, delayMs) =>
      settle(job, async (boss, db, isAlone) => {
        if (!isAlone) return complete(boss, db, job)
        const [id] = claimOf(job)
        const data: JobData = { key: job.key, failures: job.attempt }
        await boss.fail(job.lane, id, null, { db })
        await boss.update(job.lane, data, { id, startAfter: `${delayMs} milliseconds`, db })
      }),
    bury: (job, reason) =>
      settle(job, async (boss, db, isAlone) => {
        await complete(boss, db, job)
        if (!isAlone) return
        await dead.add(boss, db, { key: job.key, reason, attempts: job.attempt, diedAt: Date.now() })
      }),
    deadLetters: dead.list,
    redrive: dead.redrive,
  }
}

async function complete(boss: PgBoss, db: BossSql, job: Job): Promise<void> {
  await boss.complete(job.lane, claimOf(job)[0], null, { db })
}

/** Adds a job while the lane has room: those who add take turns, so that they count the same jobs. */
async function addStranger(database: Database, boss: PgBoss, schema: string, key: string): Promise<boolean> {
  return database.transaction(async (sql) => {
    await sql.lock(`${schema} stranger lane`)
    const db = bossSql(sql)
    const { updated } = await boss.update('stranger', { key }, { singletonKey: key, startAfter: 0, db })
    if (updated > 0) return true
    const [row] = await sql.run(
      `SELECT count(*) AS jobs FROM ${schema}.job WHERE name = 'stranger' AND state <= 'active'`,
    )
    if (Number(row?.jobs) >= STRANGER_JOBS) return false
    await boss.send('stranger', { key }, { singletonKey: key, db })
    return true
  })
}
