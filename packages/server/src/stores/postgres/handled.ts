/** Which states of which orders were handled, in Postgres: through the store's pool, or inside a transaction of the merchant's. */
import type { Handled, Mark } from '../store.ts'
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
    async add(mark) {
      return (await database.query(insert, ...valuesOf(mark))).length === 1
    },
    addWithin: (transaction, mark) => addWithin(transaction, schema, valuesOf(mark)),
    async sweep(before, limit) {
      const rows = await database.query(
        `DELETE FROM ${schema}.handled WHERE (order_id, type) IN (
          SELECT order_id, type FROM ${schema}.handled AS marks
          WHERE handled_at < to_timestamp($1::float8 / 1000)
            AND NOT EXISTS (SELECT 1 FROM ${schema}.purchases WHERE id = marks.purchase_id)
          ORDER BY handled_at LIMIT $2) RETURNING 1`,
        ...[before, limit],
      )
      return rows.length
    },
  }
}

/** Texts alone, which every driver gives to Postgres in the same way. */
const valuesOf = ({ orderId, type, purchaseId }: Mark): string[] => [orderId, type, purchaseId ?? '']
