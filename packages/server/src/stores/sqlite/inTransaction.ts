/** Whether a connection to SQLite is inside a transaction, whichever driver and version it is of. */

/** What node:sqlite, better-sqlite3 and bun:sqlite have in common. */
export interface SqliteConnection {
  /** Of node:sqlite since Node 22.16. */
  readonly isTransaction?: boolean
  /** Of better-sqlite3 and bun:sqlite. */
  readonly inTransaction?: boolean
  prepare(sql: string): { run(...values: SqliteValue[]): { changes: number | bigint } }
}

export type SqliteValue = string | number | null

export function inTransaction(connection: SqliteConnection): boolean {
  const { isTransaction, inTransaction } = connection
  return isTransaction ?? inTransaction ?? !canBegin(connection)
}

/** SQLite refuses a transaction inside another, and leaves the other as it is. One that was begun here holds no lock yet. */
function canBegin(connection: SqliteConnection): boolean {
  try {
    connection.prepare('BEGIN').run()
  } catch (error) {
    if (error instanceof Error && error.message.includes('within a transaction')) return false
    throw error
  }
  connection.prepare('ROLLBACK').run()
  return true
}
