/** Dead letters in SQLite, within a transaction of whoever calls. */
import { DEAD_LETTERS, type DeadLetter } from '../store.ts'
import type { Sql } from './database.ts'

export function add(sql: Sql, { key, reason, attempts, diedAt }: DeadLetter): void {
  sql.run(
    'INSERT OR REPLACE INTO purchase_widget_dead_letters (key, reason, attempts, died_at) VALUES (?, ?, ?, ?)',
    ...[key, reason, attempts, diedAt],
  )
  // Counting is cheaper than sorting, and one more than the bound is all that there can be.
  sql.run(
    `DELETE FROM purchase_widget_dead_letters
      WHERE number = (SELECT min(number) FROM purchase_widget_dead_letters)
      AND (SELECT count(*) FROM purchase_widget_dead_letters) > ?`,
    DEAD_LETTERS,
  )
}

/** Newest first. */
export function list(sql: Sql, limit: number): DeadLetter[] {
  const rows = sql.all('SELECT * FROM purchase_widget_dead_letters ORDER BY number DESC LIMIT ?', limit)
  return rows.map(({ key, reason, attempts, died_at }) => ({
    key: String(key),
    reason: String(reason),
    attempts: Number(attempts),
    diedAt: Number(died_at),
  }))
}

/** Removes one by its key, or all. Gives their keys. */
export function take(sql: Sql, key: string | undefined): string[] {
  const rows = sql.all(
    'DELETE FROM purchase_widget_dead_letters WHERE ?1 IS NULL OR key = ?1 RETURNING key',
    key ?? null,
  )
  return rows.map((row) => String(row.key))
}
