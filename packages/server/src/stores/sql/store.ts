/** The store over a database. Each database has its own `addWithin`, which `complete` runs in the merchant's transaction. */
import { InvalidInputError } from '../../errors.ts'
import { rowLocks } from '../locks.ts'
import type { Handled, SharedState, Store } from '../store.ts'
import type { Database, Statement } from './database.ts'
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
  sweep: sqlSweep(database),
})

/** Why `addWithin` writes nothing. */
export const cannotComplete = (message: string): InvalidInputError =>
  new InvalidInputError('complete', message)

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
  }
}

function sqlShared(database: Database): SharedState {
  const { prefix, now } = database.dialect
  const values = `${prefix}values`
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

/** A holder that was stalled for a moment may still renew its lock. */
const STALLED_MS = 3_600_000

function sqlSweep({ dialect: { prefix, now, skipLocked }, write }: Database): Store['sweep'] {
  const expired = (keepHandledMs: number): Statement[] => [
    [
      // The outer condition too: Postgres repeats it alone for a row that another transaction has prolonged in between.
      `purchases WHERE kept_until <= ${now} AND id IN (
        SELECT id FROM ${prefix}purchases WHERE kept_until <= ${now} ORDER BY kept_until LIMIT $1)`,
    ],
    [
      `handled WHERE (order_id, type) IN (
        SELECT order_id, type FROM ${prefix}handled AS records
        WHERE handled_at < ${now} - $2 AND NOT EXISTS (SELECT 1 FROM ${prefix}purchases WHERE id = records.purchase_id)
        ORDER BY handled_at LIMIT $1)`,
      keepHandledMs,
    ],
    [
      `values WHERE key IN (
        SELECT key FROM ${prefix}values WHERE ends_at <= ${now} - ${STALLED_MS} LIMIT $1 ${skipLocked})`,
    ],
  ]
  return async (limit, keepHandledMs) => {
    let removed = 0
    for (const [rows, ...values] of expired(keepHandledMs)) {
      const more = await write(`DELETE FROM ${prefix}${rows} RETURNING 1`, limit - removed, ...values)
      removed += more.length
    }
    return removed
  }
}
