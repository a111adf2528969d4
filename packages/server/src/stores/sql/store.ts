/** The store over a database. Each database has its own `addWithin`, which `complete` runs in the merchant's transaction. */
import { rowLocks } from '../locks.ts'
import type { Handled, SharedState, Store } from '../store.ts'
import type { Database } from './database.ts'
import { sqlJobs } from './jobs.ts'
import { sqlPurchases } from './purchases.ts'

export const sqlStore = (
  database: Database,
  addWithin: NonNullable<Handled['addWithin']>,
): Omit<Store, 'forgets' | 'close'> => ({
  ...sqlShared(database),
  purchases: sqlPurchases(database),
  jobs: sqlJobs(database),
  handled: { ...sqlHandled(database), addWithin },
})

function sqlHandled(database: Database): Omit<Handled, 'addWithin'> {
  const { prefix, now } = database.dialect
  const handled = `${prefix}handled`
  return {
    async has(orderId, type) {
      const found = await database.read(
        `SELECT 1 AS found FROM ${handled} WHERE order_id = $1 AND type = $2`,
        ...[orderId, type],
      )
      return found.length > 0
    },
    async add({ orderId, type, purchaseId }) {
      const added = await database.write(
        `INSERT INTO ${handled} (order_id, type, purchase_id, handled_at) VALUES ($1, $2, $3, ${now})
          ON CONFLICT DO NOTHING RETURNING order_id`,
        ...[orderId, type, purchaseId ?? ''],
      )
      return added.length === 1
    },
    async sweep(before, limit) {
      const removed = await database.write(
        `DELETE FROM ${handled} WHERE (order_id, type) IN (
          SELECT order_id, type FROM ${handled} AS records
          WHERE handled_at < $1 AND NOT EXISTS (SELECT 1 FROM ${prefix}purchases WHERE id = records.purchase_id)
          ORDER BY handled_at LIMIT $2) RETURNING order_id`,
        ...[before, limit],
      )
      return removed.length
    },
  }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function sqlShared(database: Database): SharedState {
  const { prefix, now } = database.dialect
  const [values, locks] = [`${prefix}values`, `${prefix}locks`]
  const sweep = sweeper(database, [values, locks])
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
      sweep()
      await database.write(
        `INSERT INTO ${values} (key, value, ends_at) VALUES ($1, $2, ${now} + CAST($3 AS bigint))
          ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at`,
        ...[key, value, ttlMs === null ? null : Math.floor(ttlMs)],
      )
    },
    ...rowLocks({
      async take(key, holder, ms) {
        const taken = await database.write(
          `INSERT INTO ${locks} AS held (key, holder, ends_at) VALUES ($1, $2, ${now} + $3)
            ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
            WHERE held.ends_at <= ${now} RETURNING key`,
          ...[key, holder, ms],
        )
        return taken.length === 1
      },
      async renew(key, holder, ms) {
        await database.write(
          `UPDATE ${locks} SET ends_at = ${now} + $3 WHERE key = $1 AND holder = $2`,
          ...[key, holder, ms],
        )
      },
      async free(key, holder) {
        await database.write(`DELETE FROM ${locks} WHERE key = $1 AND holder = $2`, key, holder)
      },
    }),
  }
}

/**
 * Removes expired values, and locks that killed processes left, in the background and at most once a minute. A failed removal is retried a
 * minute later.
 */
function sweeper({ dialect: { now, skipLocked }, write }: Database, tables: readonly string[]): () => void {
  let sweepAt = performance.now() + MINUTE
  return () => {
    if (performance.now() < sweepAt) return
    sweepAt = performance.now() + MINUTE
    for (const table of tables) {
      // Not at once: a holder that was stalled for a moment may still renew its lock.
      const ended = `SELECT key FROM ${table} WHERE ends_at <= ${now} - ${HOUR} ${skipLocked}`
      write(`DELETE FROM ${table} WHERE key IN (${ended})`).catch(() => {})
    }
  }
}
