/** Values, locks and counters in Postgres, by its own clock. */
import { rowLocks } from '../locks.ts'
import type { Counter, SharedState } from '../store.ts'
import { type Database, later } from './database.ts'

const millisecondsTo = (column: string): string => `extract(epoch FROM ${column} - clock_timestamp()) * 1000`

export function postgresShared(database: Database): SharedState {
  const { schema } = database
  return {
    async get(key) {
      const [row] = await database.query(
        `SELECT value, ends_at IS NULL AS endless, ${millisecondsTo('ends_at')} AS ttl FROM ${schema}.values WHERE key = $1`,
        key,
      )
      if (!row) return null
      const ttlMs = row.endless ? null : Math.floor(Number(row.ttl))
      return ttlMs === null || ttlMs > 0 ? { value: String(row.value), ttlMs } : null
    },
    async set(key, value, ttlMs) {
      await database.query(
        `INSERT INTO ${schema}.values (key, value, ends_at) VALUES ($1, $2, ${later('$3::float8')})
          ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at`,
        ...[key, value, ttlMs],
      )
    },
    withLock: rowLocks({
      async take(key, holder, ms) {
        const rows = await database.query(
          `INSERT INTO ${schema}.locks AS held (key, holder, ends_at) VALUES ($1, $2, ${later('$3::float8')})
            ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
            WHERE held.ends_at <= clock_timestamp() RETURNING 1`,
          ...[key, holder, ms],
        )
        return rows.length === 1
      },
      async renew(key, holder, ms) {
        await database.query(
          `UPDATE ${schema}.locks SET ends_at = ${later('$3::float8')} WHERE key = $1 AND holder = $2`,
          ...[key, holder, ms],
        )
      },
      async free(key, holder) {
        await database.query(`DELETE FROM ${schema}.locks WHERE key = $1 AND holder = $2`, key, holder)
      },
    }),
    counter: (name, perMinute) => postgresCounter(database, name, perMinute),
  }
}

const MINUTE = 60_000

/** Counts in windows of a minute. */
function postgresCounter(database: Database, name: string, perMinute: number): Counter {
  const counts = `${database.schema}.counts`
  // One that would end later than in a minute was opened before the server's clock was set back.
  const hasEnded = `(present.ends_at <= clock_timestamp() OR present.ends_at > ${later(String(MINUTE))})`
  let sweepAt = performance.now() + MINUTE

  /** What cannot be swept now is swept a minute later. */
  function sweep(): void {
    sweepAt = performance.now() + MINUTE
    database.query(`DELETE FROM ${counts} WHERE ends_at <= clock_timestamp()`).catch(() => {})
  }

  return async (key) => {
    if (performance.now() >= sweepAt) sweep()
    const [row] = await database.query(
      `INSERT INTO ${counts} AS present (name, key, calls, ends_at) VALUES ($1, $2, 1, ${later(String(MINUTE))})
        ON CONFLICT (name, key) DO UPDATE SET
          calls = CASE WHEN ${hasEnded} THEN 1 ELSE present.calls + 1 END,
          ends_at = CASE WHEN ${hasEnded} THEN excluded.ends_at ELSE present.ends_at END
        RETURNING calls, ${millisecondsTo('ends_at')} AS wait`,
      ...[name, key],
    )
    return row && Number(row.calls) > perMinute ? Math.max(1, Math.ceil(Number(row.wait))) : 0
  }
}
