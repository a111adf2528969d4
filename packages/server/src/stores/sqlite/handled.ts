/** Which states of which orders were handled, in SQLite: on the store's connection, or inside a transaction of the merchant's. */
import { InvalidInputError } from '../../errors.ts'
import type { Handled, IdempotencyRecord } from '../store.ts'
import type { Database } from './database.ts'
import { inTransaction, type SqliteConnection, type SqliteValue } from './database.ts'

const insert = `INSERT INTO purchase_widget_handled (order_id, type, purchase_id, handled_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

export function sqliteHandled(database: Database, now: () => number): Handled {
  const valuesOf = ({ orderId, type, purchaseId }: IdempotencyRecord): SqliteValue[] => [
    orderId,
    type,
    purchaseId,
    now(),
  ]
  return {
    async has(orderId, type) {
      const rows = await database.read((sql) =>
        sql.all('SELECT 1 FROM purchase_widget_handled WHERE order_id = ? AND type = ?', orderId, type),
      )
      return rows.length > 0
    },
    add: (record) => database.write((sql) => sql.run(insert, ...valuesOf(record)) === 1),
    addWithin(transaction, record) {
      if (!isConnection(transaction)) {
        throw new InvalidInputError(
          'complete',
          'give it your own connection to the store’s file, inside a transaction: a DatabaseSync of node:sqlite, or a Database of better-sqlite3.',
        )
      }
      if (!inTransaction(transaction)) {
        throw new InvalidInputError(
          'complete',
          'it needs a transaction. BEGIN first, on the connection that you pass, and COMMIT when the delivery is written too.',
        )
      }
      return Number(transaction.prepare(insert).run(...valuesOf(record)).changes) === 1
    },
    sweep: (before, limit) =>
      database.write((sql) =>
        sql.run(
          `DELETE FROM purchase_widget_handled WHERE (order_id, type) IN (
            SELECT order_id, type FROM purchase_widget_handled AS records WHERE handled_at < ? AND NOT EXISTS (
              SELECT 1 FROM purchase_widget_purchases WHERE id = records.purchase_id)
            ORDER BY handled_at LIMIT ?)`,
          ...[before, limit],
        ),
      ),
  }
}

const isConnection = (value: unknown): value is SqliteConnection =>
  typeof value === 'object' && value !== null && 'prepare' in value && typeof value.prepare === 'function'
