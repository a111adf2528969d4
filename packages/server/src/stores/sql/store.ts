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
  const values = `${prefix}values`
  const sweep = sweeper(database, values)
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
    // A lock is a value with its holder.
    ...rowLocks({
      async take(key, holder, ms) {
        const taken = await database.write(
          `INSERT INTO ${values} AS held (key, value, ends_at) VALUES ($1, $2, ${now} + $3)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at
            WHERE held.ends_at <= ${now} RETURNING key`,
          ...[lockOf(key), holder, ms],
        )
        return taken.length === 1
      },
      async renew(key, holder, ms) {
        await database.write(
          `UPDATE ${values} SET ends_at = ${now} + $3 WHERE key = $1 AND value = $2`,
          ...[lockOf(key), holder, ms],
        )
      },
      async free(key, holder) {
        await database.write(`DELETE FROM ${values} WHERE key = $1 AND value = $2`, lockOf(key), holder)
      },
    }),
  }
}

const lockOf = (key: string): string => `lock:${key}`

/** Removes expired values, and locks that killed processes left, in the background and at most once a minute. */
function sweeper({ dialect: { now, skipLocked }, write }: Database, values: string): () => void {
  let sweepAt = performance.now() + MINUTE
  return () => {
    if (performance.now() < sweepAt) return
    sweepAt = performance.now() + MINUTE
    // Not at once: a holder that was stalled for a moment may still renew its lock.
    const ended = `SELECT key FROM ${values} WHERE ends_at <= ${now} - ${HOUR} ${skipLocked}`
    write(`DELETE FROM ${values} WHERE key IN (${ended})`).catch(() => {})
  }
}
