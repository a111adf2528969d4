/** The embedded store: one file, shared by the processes of one machine. */

import { misconfigured } from '../errors.ts'
import { canDo } from '../unknown.ts'
import { cannotComplete, sqlStore } from './sql/store.ts'
import { dialect, openWhenNeeded } from './sqliteDatabase.ts'
import type { IdempotencyRecord, Store } from './store.ts'

/**
 * A store in a SQLite file, through `node:sqlite` (Node 22.13, Deno 2.2, Bun 1.4 or later). The file may be
 * your shop's own database: the names of the tables begin with `purchase_widget_`. Not for a network file system.
 *
 * A killed process loses nothing. A power failure may lose the most recent writes.
 *
 * @param file opened on first use, and created, readable for this user alone, if it does not exist. `:memory:` keeps nothing.
 * @throws InvalidInputError without a file, and from the functions of the store, when the file cannot be opened or the runtime has no `node:sqlite`.
 */
export function sqliteStore(file: string): Store {
  if (typeof file !== 'string' || file === '') {
    throw misconfigured("sqliteStore needs the name of a file: sqliteStore('purchases.sqlite').")
  }
  const database = openWhenNeeded(file)
  return {
    ...sqlStore(database, addWithin),
    forgets: file === ':memory:',
    async close() {
      database.close()
    },
  }
}

const insert = `INSERT INTO ${dialect.prefix}handled (order_id, type, purchase_id, handled_at)
  VALUES (?, ?, ?, ${dialect.now}) ON CONFLICT DO NOTHING`

/**
 * Implements `complete`: adds the idempotency record inside the merchant's transaction, on their own connection.
 *
 * @returns false when the record already existed.
 */
function addWithin(connection: unknown, { orderId, type, purchaseId }: IdempotencyRecord): boolean {
  if (!isConnection(connection)) throw cannotComplete(CONNECTION_WANTED)
  if (isOfAnotherLibrary(connection)) throw cannotComplete(SAME_LIBRARY_WANTED)
  if (!inTransaction(connection)) throw cannotComplete(TRANSACTION_WANTED)
  return Number(connection.prepare(insert).run(orderId, type, purchaseId ?? '').changes) === 1
}

const CONNECTION_WANTED =
  'give it your own connection to the store’s file, inside a transaction: a DatabaseSync of node:sqlite.'

const SAME_LIBRARY_WANTED =
  'better-sqlite3 has a SQLite of its own: two in one process do not see each other’s locks, and may damage the file. Use a DatabaseSync of node:sqlite.'

const TRANSACTION_WANTED =
  'it needs a transaction. BEGIN first, on the connection that you pass, and COMMIT when the delivery is written too.'

/** https://sqlite.org/howtocorrupt.html, section 2.2.1. */
const isOfAnotherLibrary = (connection: SqliteConnection): boolean => canDo(connection, 'pragma')

const isConnection = (value: unknown): value is SqliteConnection => canDo(value, 'prepare')

/** What node:sqlite and bun:sqlite have in common. */
interface SqliteConnection {
  /** In node:sqlite since Node 22.16. */
  readonly isTransaction?: boolean
  /** In bun:sqlite. */
  readonly inTransaction?: boolean
  prepare(sql: string): { run(...values: string[]): { changes: number | bigint } }
}

function inTransaction(connection: SqliteConnection): boolean {
  const { isTransaction, inTransaction } = connection
  return isTransaction ?? inTransaction ?? !canBegin(connection)
}

/** SQLite refuses a transaction inside another, and leaves the outer one intact. A transaction that begins here holds no lock yet. */
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
