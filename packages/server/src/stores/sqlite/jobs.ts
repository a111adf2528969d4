/** Jobs in SQLite: a row for each key of a lane, with the moment when it is due. */
import { DEAD_LETTERS, type Job, type Jobs, type Lane, STRANGER_JOBS } from '../store.ts'
import type { Database, Sql } from './database.ts'

const MOST = { trusted: null, stranger: STRANGER_JOBS } satisfies Record<Lane, number | null>

const receipt = 'lower(hex(randomblob(8)))'
const asClaimed = 'WHERE lane = ? AND key = ? AND receipt = ?'

export function sqliteJobs(database: Database, now: () => number): Jobs {
  /** False when the lane is full. */
  function put(sql: Sql, key: string, lane: Lane): boolean {
    const changes = sql.run(
      `INSERT INTO purchase_widget_jobs (lane, key, due_at, receipt)
        SELECT ?1, ?2, ?3, ${receipt}
        WHERE ?4 IS NULL OR (SELECT count(*) FROM purchase_widget_jobs WHERE lane = ?1 AND key <> ?2) < ?4
        ON CONFLICT (lane, key) DO UPDATE SET due_at = min(due_at, excluded.due_at), receipt = excluded.receipt`,
      ...[lane, key, now(), MOST[lane]],
    )
    return changes === 1
  }

  return {
    add: (key, lane) => database.write((sql) => put(sql, key, lane)),
    async claim(lane, limit, holdMs) {
      const due = (sql: Sql) =>
        sql.all(
          'SELECT number FROM purchase_widget_jobs WHERE lane = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?',
          ...[lane, now(), limit],
        )
      // Looking costs no write, which every idle worker would do otherwise.
      if ((await database.read(due)).length === 0) return []
      return database.write((sql) =>
        due(sql).flatMap(({ number }) =>
          sql
            .all(
              `UPDATE purchase_widget_jobs SET due_at = ?, claims = claims + 1, receipt = ${receipt}
                WHERE number = ? RETURNING key, claims, receipt`,
              ...[now() + holdMs, Number(number)],
            )
            .map(
              (row): Job => ({
                key: String(row.key),
                lane,
                attempt: Number(row.claims),
                receipt: String(row.receipt),
              }),
            ),
        ),
      )
    },
    async complete(job) {
      await database.write((sql) => {
        if (sql.run(`DELETE FROM purchase_widget_jobs ${asClaimed}`, job.lane, job.key, job.receipt) > 0)
          return
        sql.run('UPDATE purchase_widget_jobs SET claims = 0 WHERE lane = ? AND key = ?', job.lane, job.key)
      })
    },
    async retry(job, delayMs) {
      await database.write((sql) =>
        sql.run(
          `UPDATE purchase_widget_jobs SET due_at = ?, receipt = ${receipt} ${asClaimed}`,
          ...[now() + delayMs, job.lane, job.key, job.receipt],
        ),
      )
    },
    async bury(job, reason) {
      await database.write((sql) => {
        if (sql.run(`DELETE FROM purchase_widget_jobs ${asClaimed}`, job.lane, job.key, job.receipt) === 0)
          return
        sql.run(
          'INSERT OR REPLACE INTO purchase_widget_dead_letters (key, reason, attempts, died_at) VALUES (?, ?, ?, ?)',
          ...[job.key, reason, job.attempt, now()],
        )
        // Counting is cheaper than sorting, and one more than the bound is all that there can be.
        sql.run(
          `DELETE FROM purchase_widget_dead_letters
            WHERE number = (SELECT min(number) FROM purchase_widget_dead_letters)
            AND (SELECT count(*) FROM purchase_widget_dead_letters) > ?`,
          DEAD_LETTERS,
        )
      })
    },
    async deadLetters(limit) {
      const rows = await database.read((sql) =>
        sql.all('SELECT * FROM purchase_widget_dead_letters ORDER BY number DESC LIMIT ?', limit),
      )
      return rows.map(({ key, reason, attempts, died_at }) => ({
        key: String(key),
        reason: String(reason),
        attempts: Number(attempts),
        diedAt: Number(died_at),
      }))
    },
    redrive: (key) =>
      database.write((sql) => {
        const letters = sql.all(
          'DELETE FROM purchase_widget_dead_letters WHERE ?1 IS NULL OR key = ?1 RETURNING key',
          key ?? null,
        )
        for (const letter of letters) {
          put(sql, String(letter.key), 'trusted')
          sql.run(
            `UPDATE purchase_widget_jobs SET claims = 0 WHERE lane = 'trusted' AND key = ?`,
            String(letter.key),
          )
        }
        return letters.length
      }),
  }
}
