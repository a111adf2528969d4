/** The store that the configuration names, asked once before the first shopper comes. */
import { InvalidInputError } from '../errors.ts'
import { postgresStore } from '../stores/postgres.ts'
import { sqliteStore } from '../stores/sqlite.ts'
import type { Store } from '../stores/store.ts'
import { type Log, logFailure } from './log.ts'
import { ConfigurationError } from './readJsonFile.ts'
import type { Settings } from './settings.ts'

interface OpenStore {
  readonly store: Store
  /** Ends what the store leaves open. */
  close(): Promise<void>
}

/** Asks for what no store has: whether it answers at all. */
export const askStore = async (store: Store): Promise<void> => void (await store.get('ready'))

/**
 * A SQLite file that cannot be opened now never can be. A database on another host comes back: meanwhile purchases are begun, and the log says
 * what is wrong.
 *
 * @throws ConfigurationError for such a file; InvalidInputError where Postgres is named and `pg` is not installed.
 */
export async function openStore(settings: Settings, log: Log): Promise<OpenStore> {
  const { sqliteFile, postgresUrl, mistakeAt } = settings
  if (postgresUrl === null) {
    const store = sqliteStore(sqliteFile ?? 'purchases.sqlite')
    await askStore(store).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.replace(/^configuration: |\.$/g, '') : 'unknown'
      const remedy = 'Name a SQLite file, or one that is not there yet.'
      throw new ConfigurationError([mistakeAt(['store', 'sqlite'], `cannot be opened: ${reason}. ${remedy}`)])
    })
    return { store, close: async () => {} }
  }
  const { Pool } = await importPg()
  const pool = new Pool({ connectionString: postgresUrl })
  // A connection that breaks while nobody uses it would otherwise end the process; the next call opens another.
  pool.on('error', () => {})
  const store = postgresStore(pool)
  void askStore(store).catch((error: unknown) => logFailure(log, error, { during: 'start' }))
  return { store, close: () => pool.end() }
}

async function importPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    return (await import('pg')).default
  } catch {
    throw new InvalidInputError('configuration', 'store.postgres needs a package: npm install pg.')
  }
}
