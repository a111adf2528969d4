/** The store over a database. What `complete` writes into the merchant's own transaction is each database's to say. */
import type { Handled, Store } from '../store.ts'
import type { Database } from './database.ts'
import { sqlJobs } from './jobs.ts'
import { sqlPurchases } from './purchases.ts'
import { sqlShared } from './shared.ts'

export const sqlStore = (
  database: Database,
  addWithin: NonNullable<Handled['addWithin']>,
): Omit<Store, 'forgets' | 'close'> => ({
  ...sqlShared(database),
  purchases: sqlPurchases(database),
  jobs: sqlJobs(database),
  handled: { ...sqlHandled(database), addWithin },
})

/** Which states of which orders were handled. */
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
