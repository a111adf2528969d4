/** A transaction of ours as pg-boss takes it. */
import type { Row, Sql } from './database.ts'

export interface BossSql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

export const bossSql = (sql: Sql): BossSql => ({ executeSql: (text, values) => sql.query(text, values) })
