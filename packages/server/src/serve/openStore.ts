/** Opens the store that the configuration of `serve` names. */
import { InvalidInputError } from '../errors.ts'
import { postgresStore } from '../stores/postgres.ts'
import { sqliteStore } from '../stores/sqlite.ts'
import { ANSWER_MS, type Store } from '../stores/store.ts'
import { ConfigurationError } from './configurationError.ts'
import { type Log, logFailure } from './log.ts'
import type { Settings } from './settings.ts'

/** Reads a key that no store has, to see whether the store answers. */
export const askStore = (store: Store): Promise<true> => store.get('ready').then(() => true)

/**
 * A SQLite file that cannot be opened now stays unusable. A database on another host may come back: meanwhile purchases are created, and
 * the log says what is wrong.
 *
 * @throws ConfigurationError for such a file; InvalidInputError if Postgres is configured and `pg` is not installed.
 */
export async function openStore(
  { configuration, sqliteFile, mistakeAt }: Settings,
  log: Log,
): Promise<Store> {
  const { postgres } = configuration.store
  if (postgres === undefined) {
    const store = sqliteStore(sqliteFile)
    await askStore(store).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message.replace(/^configuration: /, '') : 'unknown'
      throw new ConfigurationError([mistakeAt(['store', 'sqlite'], `cannot be opened: ${reason}`)])
    })
    return store
  }
  const { default: pg } = await import('pg').catch(() => {
    throw new InvalidInputError('configuration', 'store.postgres needs a package: npm install pg.')
  })
  // A host that does not answer must not keep the pool's places for as long as the operating system tries.
  const pool = new pg.Pool({
    connectionString: postgres,
    connectionTimeoutMillis: ANSWER_MS,
    keepAlive: true,
  })
  const store = { ...postgresStore(pool), close: () => pool.end() }
  void askStore(store).catch((error: unknown) => logFailure(log, error, { during: 'start' }))
  return store
}
