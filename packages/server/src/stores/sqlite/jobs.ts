/** Jobs in SQLite: a row for each key of a queue, with the moment when it is due. */
import { jobOf, letterOf } from '../rows.ts'
import { DEAD_LETTERS, type Job, type Jobs, type QueueName, UNAUTHENTICATED_JOBS } from '../store.ts'
import type { Database, Sql } from './database.ts'

const JOBS = 'purchase_widget_jobs'
const LETTERS = 'purchase_widget_dead_letters'
const NEW_RECEIPT = 'lower(hex(randomblob(8)))'
const AS_CLAIMED = 'queue = ? AND key = ? AND receipt = ?'
const DUE = `SELECT number FROM ${JOBS} WHERE queue = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?`

const claimOf = ({ queue, key, receipt }: Job): string[] => [queue, key, receipt]

export function sqliteJobs(database: Database, now: () => number): Jobs {
  return {
    add: (key, queue) => database.write((sql) => put(sql, key, queue, now())),
    async claim(queue, limit, holdMs) {
      const due = [queue, now(), limit]
      // Looking costs no write, which every idle worker would do otherwise.
      if ((await database.read((sql) => sql.all(DUE, ...due))).length === 0) return []
      const rows = await database.write((sql) =>
        sql.all(
          `UPDATE ${JOBS} SET due_at = ?, receipt = ${NEW_RECEIPT} WHERE number IN (${DUE})
            RETURNING key, failures, receipt`,
          ...[now() + holdMs, ...due],
        ),
      )
      return rows.map((row) => jobOf(row, queue, holdMs))
    },
    async renew(held) {
      await database.write((sql) => {
        const renewal = `UPDATE ${JOBS} SET due_at = ? WHERE ${AS_CLAIMED}`
        for (const job of held) sql.run(renewal, now() + job.holdMs, ...claimOf(job))
      })
    },
    async complete(job) {
      await database.write((sql) => {
        const done = sql.run(`DELETE FROM ${JOBS} WHERE ${AS_CLAIMED}`, ...claimOf(job))
        // One that was added again stays, with its attempts counted anew.
        if (done === 0) countAnew(sql, job.key, job.queue)
      })
    },
    async retry(job, delayMs) {
      await database.write((sql) =>
        sql.run(
          `UPDATE ${JOBS} SET due_at = ?, failures = failures + 1, receipt = ${NEW_RECEIPT} WHERE ${AS_CLAIMED}`,
          ...[now() + delayMs, ...claimOf(job)],
        ),
      )
    },
    async bury(job, reason) {
      await database.write((sql) => {
        if (sql.run(`DELETE FROM ${JOBS} WHERE ${AS_CLAIMED}`, ...claimOf(job)) === 0) return
        sql.run(
          `INSERT OR REPLACE INTO ${LETTERS} (key, reason, attempts, died_at) VALUES (?, ?, ?, ?)`,
          ...[job.key, reason, job.attempt, now()],
        )
        sql.run(
          `DELETE FROM ${LETTERS} WHERE number <= (
            SELECT number FROM ${LETTERS} ORDER BY number DESC LIMIT 1 OFFSET ?)`,
          DEAD_LETTERS,
        )
      })
    },
    async deadLetters(limit) {
      const newest = `SELECT key, reason, attempts, died_at FROM ${LETTERS} ORDER BY number DESC LIMIT ?`
      return (await database.read((sql) => sql.all(newest, limit))).map(letterOf)
    },
    redrive: (key) =>
      database.write((sql) => {
        const taken = `DELETE FROM ${LETTERS} WHERE ?1 IS NULL OR key = ?1 RETURNING key`
        const keys = sql.all(taken, key ?? null).map((row) => String(row.key))
        for (const one of keys) {
          put(sql, one, 'trusted', now())
          countAnew(sql, one, 'trusted')
        }
        return keys.length
      }),
  }
}

/** False when the queue is full. */
function put(sql: Sql, key: string, queue: QueueName, at: number): boolean {
  const changes = sql.run(
    `INSERT INTO ${JOBS} (queue, key, due_at, receipt)
      SELECT ?1, ?2, ?3, ${NEW_RECEIPT}
      WHERE ?1 <> 'unauthenticated' OR (SELECT count(*) FROM ${JOBS} WHERE queue = ?1 AND key <> ?2) < ?4
      ON CONFLICT (queue, key) DO UPDATE SET due_at = min(due_at, excluded.due_at), receipt = excluded.receipt`,
    ...[queue, key, at, UNAUTHENTICATED_JOBS],
  )
  return changes === 1
}

function countAnew(sql: Sql, key: string, queue: QueueName): void {
  sql.run(`UPDATE ${JOBS} SET failures = 0 WHERE queue = ? AND key = ?`, queue, key)
}
