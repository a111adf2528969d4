/** The store for a fleet: a schema in the merchant's Postgres. */
import { InvalidInputError } from '../errors.ts'
import { addWithin } from './postgres/complete.ts'
import { openDatabase, type PostgresPool } from './postgres/database.ts'
import { sqlStore } from './sql/store.ts'
import type { Store } from './store.ts'

export type { PostgresTransaction } from './postgres/complete.ts'
export type { PostgresPool } from './postgres/database.ts'

export interface PostgresStoreOptions {
  /**
   * The schema of the store's tables. Each environment of one database needs its own. Lower-case letters, digits and underscores, at
   * most 40. Default `purchase_widget`.
   */
  schema?: string
}

/**
 * A store in Postgres 13 or later. The schema is made when it is first needed, by a role that may create schemas in this
 * database; afterwards a role that may use it is enough.
 *
 * A call that is not answered in 5 seconds rejects.
 *
 * @param pool of node-postgres (`pg`). It stays yours: `close()` does not end it.
 * @throws InvalidInputError for another name of a schema.
 */
export function postgresStore(
  pool: PostgresPool,
  { schema = 'purchase_widget' }: PostgresStoreOptions = {},
): Store {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new InvalidInputError(
      'configuration',
      'postgresStore: schema must be at most 40 lower-case letters, digits and underscores.',
    )
  }
  const database = openDatabase(pool, schema)
  return {
    ...sqlStore(database, (transaction, record) => addWithin(database.dialect, transaction, record)),
    forgets: false,
    async close() {},
  }
}
