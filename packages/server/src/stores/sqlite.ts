/** The embedded store: one file, shared by the processes of one machine. */

import { InvalidInputError } from '../errors.ts'
import { canDo } from '../unknown.ts'
import { sqlStore } from './sql/store.ts'
import { inTransaction, openWhenNeeded, type SqliteConnection } from './sqliteDatabase.ts'
import type { IdempotencyRecord, Store } from './store.ts'

export interface SqliteStoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/**
 * A store in a SQLite file, through `node:sqlite` (Node 22.13, Deno 2.2, Bun 1.4 or later). The file may be
 * your shop's own: the tables begin with `purchase_widget_`. Not for a network file system.
 *
 * A process that is killed loses nothing. A machine that loses power may lose the last moments before it.
 *
 * @param file opened when it is first needed, and made, readable for this user alone, where there is none. `:memory:` forgets.
 * @param options `now`: milliseconds since 1970, by default `Date.now`.
 * @throws InvalidInputError, from the functions of the store, when the file cannot be opened or the runtime has no `node:sqlite`.
 */
export function sqliteStore(file: string, { now = Date.now }: SqliteStoreOptions = {}): Store {
  const database = openWhenNeeded(file, now)
  return {
    ...sqlStore(database, (connection, record) => addWithin(connection, record, now())),
    forgets: file === ':memory:',
    async close() {
      database.close()
    },
  }
}

const insert = `INSERT INTO purchase_widget_handled (order_id, type, purchase_id, handled_at) VALUES (?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

/**
 * `complete`: the idempotency record inside a transaction of the merchant's, on their own connection.
 *
 * @returns false when the record was there.
 */
function addWithin(connection: unknown, record: IdempotencyRecord, now: number): boolean {
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
