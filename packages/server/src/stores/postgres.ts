/** The store for a fleet: a schema in the merchant's Postgres, with its queue kept by pg-boss. */
import { InvalidInputError } from '../errors.ts'
import { openDatabase, type PostgresPool } from './postgres/database.ts'
import { postgresHandled } from './postgres/handled.ts'
import { postgresJobs } from './postgres/jobs.ts'
import { postgresPurchases } from './postgres/purchases.ts'
import { openQueues } from './postgres/queues.ts'
import { postgresShared } from './postgres/shared.ts'
import type { Store } from './store.ts'

export type { PostgresTransaction } from './postgres/addWithin.ts'
export type { PostgresPool } from './postgres/database.ts'

export interface PostgresStoreOptions {
  /**
   * The schema of the store's tables; pg-boss has its own beside it, `<schema>_jobs`. Each environment of one database needs
   * its own. Lower-case letters, digits and underscores, at most 40. Default `purchase_widget`.
   */
  schema?: string
}

/**
 * A store in Postgres 13 or later. Both schemas are made when they are first needed, by a role that may create schemas in this
 * database; afterwards a role that may use them is enough.
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
  const queues = openQueues(pool, `${schema}_jobs`)
  return {
    ...postgresShared(database),
    forgets: false,
    purchases: postgresPurchases(database),
    jobs: postgresJobs(database, queues),
    handled: postgresHandled(database),
    close: () => queues.close(),
  }
}
