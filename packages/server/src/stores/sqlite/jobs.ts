/** Jobs in SQLite: a row for each key of a lane, with the moment when it is due. */
import { type Job, type Jobs, type Lane, STRANGER_JOBS } from '../store.ts'
import type { Database, Row, Sql } from './database.ts'
import * as deadLetters from './deadLetters.ts'

const MOST = { trusted: null, stranger: STRANGER_JOBS } satisfies Record<Lane, number | null>

const receipt = 'lower(hex(randomblob(8)))'
const asClaimed = 'WHERE lane = ? AND key = ? AND receipt = ?'

const DUE =
  'SELECT number FROM purchase_widget_jobs WHERE lane = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?'

const CLAIM = `UPDATE purchase_widget_jobs SET due_at = ?, receipt = ${receipt}
  WHERE number = ? RETURNING key, failures, receipt`

const jobOf = ({ key, failures, receipt }: Row, lane: Lane, holdMs: number): Job => ({
  key: String(key),
  lane,
  attempt: Number(failures) + 1,
  receipt: String(receipt),
  holdMs,
})

/** False when the lane is full. */
function put(sql: Sql, key: string, lane: Lane, at: number): boolean {
  const changes = sql.run(
    `INSERT INTO purchase_widget_jobs (lane, key, due_at, receipt)
      SELECT ?1, ?2, ?3, ${receipt}
      WHERE ?4 IS NULL OR (SELECT count(*) FROM purchase_widget_jobs WHERE lane = ?1 AND key <> ?2) < ?4
      ON CONFLICT (lane, key) DO UPDATE SET due_at = min(due_at, excluded.due_at), receipt = excluded.receipt`,
    ...[lane, key, at, MOST[lane]],
  )
  return changes === 1
}

function countAnew(sql: Sql, key: string, lane: Lane): void {
  sql.run('UPDATE purchase_widget_jobs SET failures = 0 WHERE lane = ? AND key = ?', lane, key)
}

export function sqliteJobs(database: Database, now: () => number): Jobs {
  return {
    add: (key, lane) => database.write((sql) => put(sql, key, lane, now())),
    async claim(lane, limit, holdMs) {
      const due = (sql: Sql): Row[] => sql.all(DUE, lane, now(), limit)
      // Looking costs no write, which every idle worker would do otherwise.
      if ((await database.read(due)).length === 0) return []
      return database.write((sql) =>
        due(sql).flatMap(({ number }) =>
          sql.all(CLAIM, now() + holdMs, Number(number)).map((row) => jobOf(row, lane, holdMs)),
        ),
      )
    },
    async renew(jobs) {
      await database.write((sql) => {
        for (const { lane, key, receipt, holdMs } of jobs)
          sql.run(
            `UPDATE purchase_widget_jobs SET due_at = ? ${asClaimed}`,
            now() + holdMs,
            lane,
            key,
            receipt,
          )
      })
    },
    async complete(job) {
      await database.write((sql) => {
        if (sql.run(`DELETE FROM purchase_widget_jobs ${asClaimed}`, job.lane, job.key, job.receipt) > 0)
          return
        countAnew(sql, job.key, job.lane)
      })
    },
    async retry(job, delayMs) {
      await database.write((sql) =>
        sql.run(
          `UPDATE purchase_widget_jobs SET due_at = ?, failures = failures + 1, receipt = ${receipt} ${asClaimed}`,
          ...[now() + delayMs, job.lane, job.key, job.receipt],
        ),
      )
    },
    async bury(job, reason) {
      await database.write((sql) => {
        if (sql.run(`DELETE FROM purchase_widget_jobs ${asClaimed}`, job.lane, job.key, job.receipt) === 0)
          return
        deadLetters.add(sql, { key: job.key, reason, attempts: job.attempt, diedAt: now() })
      })
    },
    deadLetters: (limit) => database.read((sql) => deadLetters.list(sql, limit)),
    redrive: (key) =>
      database.write((sql) => {
        const keys = deadLetters.take(sql, key)
        for (const one of keys) {
          put(sql, one, 'trusted', now())
          countAnew(sql, one, 'trusted')
        }
        return keys.length
      }),
  }
}
