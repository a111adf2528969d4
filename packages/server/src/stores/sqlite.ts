/** The embedded store: one file, shared by the processes of one machine. */
import { sqlStore } from './sql/store.ts'
import { addWithin } from './sqlite/complete.ts'
import { openWhenNeeded } from './sqlite/database.ts'
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
  const database = openWhenNeeded(file, now)
  return {
    ...sqlStore(database, (connection, record) => addWithin(connection, record, now())),
    forgets: file === ':memory:',
    async close() {
      database.close()
    },
  }
}
