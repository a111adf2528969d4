import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Opens the shop's database; `:memory:` forgets it when the process ends. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS deliveries (
      order_id     TEXT PRIMARY KEY,
      custom_id    TEXT NOT NULL,
      product_id   TEXT NOT NULL,
      delivered_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS widget_users (custom_id TEXT PRIMARY KEY, user_id TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)
  return database
}

/** The key that signs session cookies: made once, so that shoppers are still known after a restart. */
export function sessionSecret(database: DatabaseSync): string {
  database
    .prepare(`INSERT INTO secrets (name, value) VALUES ('session', ?) ON CONFLICT DO NOTHING`)
    .run(randomBytes(32).toString('base64url'))
  const row = database.prepare(`SELECT value FROM secrets WHERE name = 'session'`).get()
  return String(row?.value)
}
