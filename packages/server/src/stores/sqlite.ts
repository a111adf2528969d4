/** The embedded store: one file, shared by the processes of one machine. */
import { openWhenNeeded } from './sqlite/database.ts'
import { sqliteHandled } from './sqlite/handled.ts'
import { sqliteJobs } from './sqlite/jobs.ts'
import { sqlitePurchases } from './sqlite/purchases.ts'
import { sqliteShared } from './sqlite/shared.ts'
import type { Store } from './store.ts'

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
  const database = openWhenNeeded(file)
  return {
    ...sqliteShared(database, now),
    forgets: file === ':memory:',
    purchases: sqlitePurchases(database, now),
    jobs: sqliteJobs(database, now),
    handled: sqliteHandled(database, now),
    async close() {
      database.close()
    },
  }
}
