/** The store that the configuration names. */
import { InvalidInputError } from '../errors.ts'
import { postgresStore } from '../stores/postgres.ts'
import { sqliteStore } from '../stores/sqlite.ts'
import type { Store } from '../stores/store.ts'
import type { Settings } from './settings.ts'

export interface OpenStore {
  readonly store: Store
  /** Ends what the store leaves open. */
  close(): Promise<void>
}

/** @throws InvalidInputError where Postgres is named and `pg` is not installed. */
export async function openStore({ sqliteFile, postgresUrl }: Settings): Promise<OpenStore> {
  if (postgresUrl === null)
    return { store: sqliteStore(sqliteFile ?? 'purchases.sqlite'), close: async () => {} }
  const { Pool } = await importPg()
  const pool = new Pool({ connectionString: postgresUrl })
  // A connection that breaks while nobody uses it would otherwise end the process; the next call opens another.
  pool.on('error', () => {})
  return { store: postgresStore(pool), close: () => pool.end() }
}

async function importPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch {
    throw new InvalidInputError('configuration', 'store.postgres needs a package: npm install pg.')
  }
}
