/** Which states of which orders were handled, in SQLite: on the store's connection, or inside a transaction of the merchant's. */
import { InvalidInputError } from '../../errors.ts'
import type { Handled } from '../store.ts'
import type { Database } from './database.ts'

const insert = 'INSERT INTO purchase_widget_handled (order_id, type) VALUES (?, ?) ON CONFLICT DO NOTHING'

export function sqliteHandled(database: Database): Handled {
  return {
    async has(orderId, type) {
      const rows = await database.read((sql) =>
        sql.all('SELECT 1 FROM purchase_widget_handled WHERE order_id = ? AND type = ?', orderId, type),
      )
      return rows.length > 0
    },
    add: (orderId, type) => database.write((sql) => sql.run(insert, orderId, type) === 1),
    addWithin(transaction, orderId, type) {
      if (!isConnection(transaction)) {
        throw new InvalidInputError(
          'complete',
          'give it your own connection to the store’s file, inside a transaction: a DatabaseSync of node:sqlite, or a Database of better-sqlite3.',
        )
      }
      return Number(transaction.prepare(insert).run(orderId, type).changes) === 1
    },
  }
}

/** What node:sqlite, better-sqlite3 and bun:sqlite have in common. */
interface MerchantConnection {
  prepare(sql: string): { run(...values: string[]): { changes: number | bigint } }
}

const isConnection = (value: unknown): value is MerchantConnection =>
  typeof value === 'object' && value !== null && 'prepare' in value && typeof value.prepare === 'function'
