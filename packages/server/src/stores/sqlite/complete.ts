/** `complete` in SQLite: the idempotency record inside a transaction of the merchant's, on their own connection. */
import { InvalidInputError } from '../../errors.ts'
import { canDo } from '../../unknown.ts'
import type { IdempotencyRecord } from '../store.ts'

const insert = `INSERT INTO purchase_widget_handled (order_id, type, purchase_id, handled_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

/** @returns false when the record was there. */
export function addWithin(connection: unknown, record: IdempotencyRecord, now: number): boolean {
  if (!isConnection(connection)) {
    throw new InvalidInputError(
      'complete',
      'give it your own connection to the store’s file, inside a transaction: a DatabaseSync of node:sqlite, or a Database of better-sqlite3.',
    )
  }
  if (!inTransaction(connection)) {
    throw new InvalidInputError(
      'complete',
      'it needs a transaction. BEGIN first, on the connection that you pass, and COMMIT when the delivery is written too.',
    )
  }
  const { orderId, type, purchaseId } = record
  return Number(connection.prepare(insert).run(orderId, type, purchaseId ?? '', now).changes) === 1
}

const isConnection = (value: unknown): value is SqliteConnection => canDo(value, 'prepare')

/** What node:sqlite, better-sqlite3 and bun:sqlite have in common. */
interface SqliteConnection {
  /** Of node:sqlite since Node 22.16. */
  readonly isTransaction?: boolean
  /** Of better-sqlite3 and bun:sqlite. */
  readonly inTransaction?: boolean
  prepare(sql: string): { run(...values: (string | number)[]): { changes: number | bigint } }
}

export function inTransaction(connection: SqliteConnection): boolean {
  const { isTransaction, inTransaction } = connection
  return isTransaction ?? inTransaction ?? !canBegin(connection)
}

/** SQLite refuses a transaction inside another, and leaves the other as it is. One that was begun here holds no lock yet. */
function canBegin(connection: SqliteConnection): boolean {
  try {
    connection.prepare('BEGIN').run()
  } catch (error) {
    if (error instanceof Error && error.message.includes('within a transaction')) return false
    throw error
  }
  connection.prepare('ROLLBACK').run()
  return true
}
