/** Which states of which orders were handled, in Postgres: through the store's pool, or inside a transaction of the merchant's. */
import type { Handled, IdempotencyRecord } from '../store.ts'
import { addWithin } from './addWithin.ts'
import type { Database } from './database.ts'

export function postgresHandled(database: Database): Handled {
  const { schema } = database
  const insert = `INSERT INTO ${schema}.handled (order_id, type, purchase_id) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING order_id`
  return {
    async has(orderId, type) {
      const rows = await database.query(
        `SELECT 1 FROM ${schema}.handled WHERE order_id = $1 AND type = $2`,
        ...[orderId, type],
      )
      return rows.length > 0
    },
    async add(record) {
      return (await database.query(insert, ...valuesOf(record))).length === 1
    },
    addWithin: (transaction, record) => addWithin(transaction, schema, valuesOf(record)),
    async sweep(before, limit) {
      const rows = await database.query(
        `DELETE FROM ${schema}.handled WHERE (order_id, type) IN (
          SELECT order_id, type FROM ${schema}.handled AS records
          WHERE handled_at < to_timestamp($1::float8 / 1000)
            AND NOT EXISTS (SELECT 1 FROM ${schema}.purchases WHERE id = records.purchase_id)
          ORDER BY handled_at LIMIT $2) RETURNING 1`,
        ...[before, limit],
      )
      return rows.length
    },
  }
}

/** Texts alone, which every driver gives to Postgres in the same way. */
const valuesOf = ({ orderId, type, purchaseId }: IdempotencyRecord): string[] => [orderId, type, purchaseId ?? '']
