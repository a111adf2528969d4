/** Values, locks and counters in SQLite, for all processes that share the file. */
import { rowLocks } from '../locks.ts'
import type { Counter, SharedState } from '../store.ts'
import type { Database } from './database.ts'

export function sqliteShared(database: Database, now: () => number): SharedState {
  return {
    async get(key) {
      const [row] = await database.read((sql) =>
        sql.all('SELECT value, ends_at FROM purchase_widget_values WHERE key = ?', key),
      )
      if (!row) return null
      const ttlMs = row.ends_at === null ? null : Number(row.ends_at) - now()
      return ttlMs === null || ttlMs > 0 ? { value: String(row.value), ttlMs } : null
    },
    async set(key, value, ttlMs) {
      await database.write((sql) => {
        sql.run('DELETE FROM purchase_widget_values WHERE ends_at <= ?', now())
        sql.run(
          'INSERT OR REPLACE INTO purchase_widget_values (key, value, ends_at) VALUES (?, ?, ?)',
          ...[key, value, ttlMs === null ? null : Math.floor(now() + ttlMs)],
        )
      })
    },
    withLock: rowLocks({
      // By the machine's own clock: a lock is held in real time, whatever the store was told that the time is.
      take: (key, holder, ms) =>
        database.write(
          (sql) =>
            sql.run(
              `INSERT INTO purchase_widget_locks (key, holder, ends_at) VALUES (?1, ?2, ?3 + ?4)
                ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
                WHERE ends_at <= ?3`,
              ...[key, holder, Date.now(), ms],
            ) === 1,
        ),
      async renew(key, holder, ms) {
        await database.write((sql) =>
          sql.run(
            'UPDATE purchase_widget_locks SET ends_at = ? WHERE key = ? AND holder = ?',
            ...[Date.now() + ms, key, holder],
          ),
        )
      },
      async free(key, holder) {
        await database.write((sql) =>
          sql.run('DELETE FROM purchase_widget_locks WHERE key = ? AND holder = ?', key, holder),
        )
      },
    }),
    counter: (name, perMinute) => sqliteCounter(database, now, name, perMinute),
  }
}

const MINUTE = 60_000

/** One that would end later than in a minute was opened before the clock was set back. */
const HAS_ENDED = `(ends_at <= ?3 OR ends_at > ?3 + ${MINUTE})`

/** Counts in windows of a minute. */
function sqliteCounter(database: Database, now: () => number, name: string, perMinute: number): Counter {
  let sweepAt = now() + MINUTE
  return (key) =>
    database.write((sql) => {
      // Not before the write's turn: another process may open the window in between.
      const at = now()
      if (at >= sweepAt) {
        sql.run('DELETE FROM purchase_widget_counts WHERE ends_at <= ?', at)
        sweepAt = at + MINUTE
      }
      const [row] = sql.all(
        `INSERT INTO purchase_widget_counts (name, key, calls, ends_at) VALUES (?1, ?2, 1, ?3 + ${MINUTE})
          ON CONFLICT (name, key) DO UPDATE SET
            calls = CASE WHEN ${HAS_ENDED} THEN 1 ELSE calls + 1 END,
            ends_at = CASE WHEN ${HAS_ENDED} THEN excluded.ends_at ELSE ends_at END
          RETURNING calls, ends_at`,
        ...[name, key, at],
      )
      return row && Number(row.calls) > perMinute ? Number(row.ends_at) - at : 0
    })
}
