/** Jobs in Postgres: a row for each key of a queue, with the moment when it is due by the server's clock. */
import { jobOf, letterOf } from '../rows.ts'
import { DEAD_LETTERS, type Job, type Jobs, UNAUTHENTICATED_JOBS } from '../store.ts'
import { type Database, later } from './database.ts'

const AS_CLAIMED = 'queue = $1 AND key = $2 AND receipt = $3'
const claimOf = ({ queue, key, receipt }: Job): string[] => [queue, key, receipt]

export function postgresJobs(database: Database): Jobs {
  const { schema } = database
  const jobs = `${schema}.jobs`
  const letters = `${schema}.dead_letters`
  /** A job that is there becomes due, and whoever has claimed it no longer ends it. */
  const orMakeDue = `ON CONFLICT (queue, key) DO UPDATE
    SET due_at = least(jobs.due_at, excluded.due_at), receipt = excluded.receipt`

  return {
    async add(key, queue) {
      // Without a lock: those who add at the same moment count the same jobs, which a bound can bear.
      const added = await database.query(
        `INSERT INTO ${jobs} (queue, key) SELECT $1::text, $2::text
          WHERE $1 <> 'unauthenticated' OR (SELECT count(*) FROM ${jobs} WHERE queue = $1 AND key <> $2) < $3
          ${orMakeDue} RETURNING 1`,
        ...[queue, key, UNAUTHENTICATED_JOBS],
      )
      return added.length === 1
    },
    async claim(queue, limit, holdMs) {
      // Materialized, so that the planner cannot run it twice and take more than the limit.
      const rows = await database.query(
        `WITH due AS MATERIALIZED (
          SELECT number FROM ${jobs} WHERE queue = $1 AND due_at <= statement_timestamp()
          ORDER BY due_at, number LIMIT $2 FOR UPDATE SKIP LOCKED)
        UPDATE ${jobs} SET due_at = ${later('$3')}, receipt = gen_random_uuid()
          FROM due WHERE jobs.number = due.number RETURNING key, failures, receipt`,
        ...[queue, limit, holdMs],
      )
      return rows.map((row) => jobOf(row, queue, holdMs))
    },
    async renew(held) {
      await database.query(
        `UPDATE ${jobs} SET due_at = ${later('held.ms')}
          FROM unnest($1::text[], $2::text[], $3::uuid[], $4::float8[]) AS held (queue, key, receipt, ms)
          WHERE jobs.queue = held.queue AND jobs.key = held.key AND jobs.receipt = held.receipt`,
        ...[held.map(({ queue }) => queue), held.map(({ key }) => key)],
        ...[held.map(({ receipt }) => receipt), held.map(({ holdMs }) => holdMs)],
      )
    },
    async complete(job) {
      // One that was added again stays, with its attempts counted anew.
      await database.query(
        `WITH done AS (DELETE FROM ${jobs} WHERE ${AS_CLAIMED} RETURNING 1)
        UPDATE ${jobs} SET failures = 0 WHERE queue = $1 AND key = $2 AND NOT EXISTS (SELECT 1 FROM done)`,
        ...claimOf(job),
      )
    },
    async retry(job, delayMs) {
      await database.query(
        `UPDATE ${jobs} SET due_at = ${later('$4')}, failures = failures + 1, receipt = gen_random_uuid()
          WHERE ${AS_CLAIMED}`,
        ...[...claimOf(job), delayMs],
      )
    },
    async bury(job, reason) {
      await database.query(
        `WITH dead AS (DELETE FROM ${jobs} WHERE ${AS_CLAIMED} RETURNING key)
        INSERT INTO ${letters} (key, reason, attempts) SELECT key, $4, $5 FROM dead
          ON CONFLICT (key) DO UPDATE SET number = DEFAULT, reason = excluded.reason,
            attempts = excluded.attempts, died_at = excluded.died_at`,
        ...[...claimOf(job), reason, job.attempt],
      )
      await database.query(
        `DELETE FROM ${letters} WHERE number <= (
          SELECT number FROM ${letters} ORDER BY number DESC OFFSET $1 LIMIT 1)`,
        DEAD_LETTERS,
      )
    },
    async deadLetters(limit) {
      const rows = await database.query(
        `SELECT key, reason, attempts, extract(epoch FROM died_at) * 1000 AS died_at FROM ${letters}
          ORDER BY number DESC LIMIT $1`,
        limit,
      )
      return rows.map(letterOf)
    },
    async redrive(key) {
      const rows = await database.query(
        `WITH taken AS (DELETE FROM ${letters} WHERE $1::text IS NULL OR key = $1 RETURNING key)
        INSERT INTO ${jobs} (queue, key) SELECT 'trusted', key FROM taken ${orMakeDue}, failures = 0 RETURNING 1`,
        key ?? null,
      )
      return rows.length
    },
  }
}
