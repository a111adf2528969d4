/** Named values that a database file keeps: credentials, switches, limits and the clock. */
import type { Database } from './database.ts'

/** The value as it was written, or undefined; only this sandbox writes them. */
export function readSetting<Value>(db: Database, name: string): Value | undefined {
  const row = db.get<{ value: string }>('select value from settings where name = ?', name)
  return row && (JSON.parse(row.value) as Value)
}

export function writeSetting(db: Database, name: string, value: unknown): void {
  db.run('insert or replace into settings (name, value) values (?, ?)', name, JSON.stringify(value))
}
