/** Values and locks in SQL, for all who share the database. */
import { rowLocks } from '../locks.ts'
import type { SharedState } from '../store.ts'
import type { Database } from './database.ts'

const MINUTE = 60_000

export function sqlShared(database: Database): SharedState {
  const { prefix, now, realNow } = database.dialect
  const [values, locks] = [`${prefix}values`, `${prefix}locks`]
  const sweepValues = sweeper(database, values)
  return {
    async get(key) {
      const [row] = await database.read(
        `SELECT value, ends_at - ${now} AS ttl FROM ${values} WHERE key = $1`,
        key,
      )
      if (!row) return null
      const ttlMs = row.ttl === null ? null : Number(row.ttl)
      return ttlMs === null || ttlMs > 0 ? { value: String(row.value), ttlMs } : null
    },
    async set(key, value, ttlMs) {
      sweepValues()
      await database.write(
        `INSERT INTO ${values} (key, value, ends_at) VALUES ($1, $2, ${now} + CAST($3 AS bigint))
          ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at`,
        ...[key, value, ttlMs === null ? null : Math.floor(ttlMs)],
      )
    },
    ...rowLocks({
      async take(key, holder, ms) {
        const taken = await database.write(
          `INSERT INTO ${locks} AS held (key, holder, ends_at) VALUES ($1, $2, ${realNow} + $3)
            ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
            WHERE held.ends_at <= ${realNow} RETURNING key`,
          ...[key, holder, ms],
        )
        return taken.length === 1
      },
      async renew(key, holder, ms) {
        await database.write(
          `UPDATE ${locks} SET ends_at = ${realNow} + $3 WHERE key = $1 AND holder = $2`,
          ...[key, holder, ms],
        )
      },
      async free(key, holder) {
        await database.write(`DELETE FROM ${locks} WHERE key = $1 AND holder = $2`, key, holder)
      },
    }),
  }
}

/** Removes values that have ended, once a minute and without being waited for. What cannot be removed now is removed a minute later. */
function sweeper({ dialect: { now, skipLocked }, write }: Database, values: string): () => void {
  let sweepAt = performance.now() + MINUTE
  return () => {
    if (performance.now() < sweepAt) return
    sweepAt = performance.now() + MINUTE
    const ended = `SELECT key FROM ${values} WHERE ends_at <= ${now} ${skipLocked}`
    write(`DELETE FROM ${values} WHERE key IN (${ended})`).catch(() => {})
  }
}
