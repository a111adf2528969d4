/** Jobs in SQL: one row per key of a queue, with the time when it is due. */
import { DEAD_LETTERS, type DeadLetter, type Job, type Jobs, UNAUTHENTICATED_JOBS } from '../store.ts'
import type { Database, Row } from './database.ts'

const AS_CLAIMED = 'queue = $1 AND key = $2 AND receipt = $3'
const claimOf = ({ queue, key, receipt }: Job): [string, string, string] => [queue, key, receipt]

/** An existing job becomes due at once, and its present claim becomes void. */
const OR_MAKE_DUE = `ON CONFLICT (queue, key) DO UPDATE SET receipt = excluded.receipt,
  due_at = CASE WHEN excluded.due_at < kept.due_at THEN excluded.due_at ELSE kept.due_at END`

export function sqlJobs(database: Database): Jobs {
  const { prefix, now, skipLocked } = database.dialect
  const jobs = `${prefix}jobs`
  const due = `SELECT number FROM ${jobs} WHERE queue = $1 AND due_at <= ${now} ORDER BY due_at, number LIMIT $2`

  return {
    ...deadLetters(database),
    async add(key, queue) {
      // Without a lock: concurrent callers count the same jobs and may exceed the limit slightly, which is acceptable.
      const added = await database.write(
        `INSERT INTO ${jobs} AS kept (queue, key, due_at, receipt)
          SELECT CAST($1 AS text), CAST($2 AS text), ${now}, CAST($3 AS text)
          WHERE CAST($1 AS text) <> 'unauthenticated'
            OR (SELECT count(*) FROM ${jobs} WHERE queue = $1 AND key <> $2) < $4
          ${OR_MAKE_DUE} RETURNING number`,
        ...[queue, key, crypto.randomUUID(), UNAUTHENTICATED_JOBS],
      )
      return added.length === 1
    },
    async claim(queue, limit, holdMs) {
      // Reads first: otherwise every idle worker would write.
      if ((await database.read(due, queue, limit)).length === 0) return []
      const receipt = crypto.randomUUID()
      // Materialized, so that the planner cannot run it twice and take more than the limit.
      const rows = await database.write(
        `WITH due AS MATERIALIZED (${due} ${skipLocked})
          UPDATE ${jobs} SET due_at = ${now} + $3, receipt = $4
          WHERE number IN (SELECT number FROM due) RETURNING key, failures`,
        ...[queue, limit, holdMs, receipt],
      )
      return rows.map(({ key, failures }): Job => {
        return { key: String(key), queue, attempt: Number(failures) + 1, receipt }
      })
    },
    async hold(job, ms) {
      await database.write(
        `UPDATE ${jobs} SET due_at = ${now} + $4 WHERE ${AS_CLAIMED}`,
        ...[...claimOf(job), ms],
      )
    },
    async complete(job) {
      const done = await database.write(
        `DELETE FROM ${jobs} WHERE ${AS_CLAIMED} RETURNING number`,
        ...claimOf(job),
      )
      if (done.length > 0) return
      // A job that was added again stays, with its attempts counted from zero.
      await database.write(
        `UPDATE ${jobs} SET failures = 0 WHERE queue = $1 AND key = $2`,
        ...[job.queue, job.key],
      )
    },
    async retry(job, delayMs) {
      await database.write(
        `UPDATE ${jobs} SET due_at = ${now} + $4, failures = failures + 1, receipt = $5 WHERE ${AS_CLAIMED}`,
        ...claimOf(job),
        ...[delayMs, crypto.randomUUID()],
      )
    },
  }
}

function deadLetters(database: Database): Pick<Jobs, 'bury' | 'deadLetters' | 'redrive'> {
  const { prefix, now } = database.dialect
  const jobs = `${prefix}jobs`
  const letters = `${prefix}dead_letters`
  return {
    async bury(job, reason) {
      await database.transaction(function* () {
        yield [`DELETE FROM ${jobs} WHERE ${AS_CLAIMED}`, ...claimOf(job)]
        yield [`DELETE FROM ${letters} WHERE key = $1`, job.key]
        yield [
          `INSERT INTO ${letters} (key, reason, attempts, died_at) VALUES ($1, $2, $3, ${now})`,
          ...[job.key, reason, job.attempt],
        ]
        yield [
          `DELETE FROM ${letters} WHERE number <= (
            SELECT number FROM ${letters} ORDER BY number DESC LIMIT 1 OFFSET $1)`,
          DEAD_LETTERS,
        ]
      })
    },
    async deadLetters(limit) {
      const newest = `SELECT key, reason, attempts, died_at FROM ${letters} ORDER BY number DESC LIMIT $1`
      return (await database.read(newest, limit)).map(letterOf)
    },
    redrive: (key) =>
      database.transaction(function* () {
        yield* database.lock('dead letters')
        const receipt = crypto.randomUUID()
        const again = yield [
          `INSERT INTO ${jobs} AS kept (queue, key, due_at, receipt)
            SELECT 'trusted', key, ${now}, CAST($2 AS text) FROM ${letters}
            WHERE CAST($1 AS text) IS NULL OR key = $1
            ${OR_MAKE_DUE}, failures = 0 RETURNING number`,
          ...[key ?? null, receipt],
        ]
        yield [
          `DELETE FROM ${letters} WHERE key IN (SELECT key FROM ${jobs} WHERE queue = 'trusted' AND receipt = $1)`,
          receipt,
        ]
        return again.length
      }),
  }
}

const letterOf = ({ key, reason, attempts, died_at }: Row): DeadLetter => ({
  key: String(key),
  reason: String(reason),
  attempts: Number(attempts),
  diedAt: Number(died_at),
})
