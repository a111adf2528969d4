/** The shop's own tables. With a data folder they share a file with the companion's store. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Opens the shop's database; `:memory:` forgets it when the process ends. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS deliveries (
      order_id     TEXT PRIMARY KEY,
      shopper      TEXT NOT NULL,
      product_id   TEXT NOT NULL,
      delivered_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS held_orders (order_id TEXT PRIMARY KEY, shopper TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS former_guests (
      guest  TEXT PRIMARY KEY,
      member TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS widget_users (shopper TEXT PRIMARY KEY, user_id TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)
  return database
}

/** Runs `action` in one transaction: all of it is kept, or none. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = action()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** The key that signs session cookies: made once, so that shoppers are still known after a restart. */
export function sessionSecret(database: DatabaseSync): string {
  database
    .prepare(`INSERT INTO secrets (name, value) VALUES ('session', ?) ON CONFLICT DO NOTHING`)
    .run(randomBytes(32).toString('base64url'))
  const row = database.prepare(`SELECT value FROM secrets WHERE name = 'session'`).get()
  return String(row?.value)
}
