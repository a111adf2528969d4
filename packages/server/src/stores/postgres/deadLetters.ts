/** Dead letters in Postgres: a queue of pg-boss that nobody takes from. */
import type { PgBoss } from 'pg-boss'
import { DEAD_LETTERS, type DeadLetter, type Lane } from '../store.ts'
import type { BossSql } from './bossSql.ts'
import type { Database, Row } from './database.ts'
import { DEAD_LETTER_QUEUE, type Queues } from './queues.ts'

export interface DeadLetters {
  /** Within a transaction. */
  add(boss: PgBoss, db: BossSql, letter: DeadLetter): Promise<void>
  list(limit: number): Promise<DeadLetter[]>
  redrive(key?: string): Promise<number>
}

const REDRIVE_AT_ONCE = 1_000
const byDeath = `(data->>'diedAt')::bigint DESC`

export function postgresDeadLetters(database: Database, queues: Queues): DeadLetters {
  const table = `${queues.schema}.job`

  return {
    async add(boss, db, letter) {
      await boss.upsert(DEAD_LETTER_QUEUE, letter, { singletonKey: letter.key, db })
      await db.executeSql(
        `DELETE FROM ${table} WHERE name = $1 AND id IN (
          SELECT id FROM ${table} WHERE name = $1 AND state < 'active' ORDER BY ${byDeath} OFFSET $2)`,
        [DEAD_LETTER_QUEUE, DEAD_LETTERS],
      )
    },
    async list(limit) {
      await queues.boss()
      const rows = await database.query(
        `SELECT data::text AS data FROM ${table} WHERE name = $1 AND state < 'active' ORDER BY ${byDeath} LIMIT $2`,
        ...[DEAD_LETTER_QUEUE, limit],
      )
      return rows.map(letterOf)
    },
    async redrive(key) {
      const boss = await queues.boss()
      const destination: Lane = 'trusted'
      if (key !== undefined) return boss.redrive(DEAD_LETTER_QUEUE, { destination, data: { key } })
      let sum = 0
      for (let moved = REDRIVE_AT_ONCE; moved === REDRIVE_AT_ONCE; sum += moved) {
        moved = await boss.redrive(DEAD_LETTER_QUEUE, { destination, limit: REDRIVE_AT_ONCE })
      }
      return sum
    },
  }
}

function letterOf({ data }: Row): DeadLetter {
  const { key, reason, attempts, diedAt } = JSON.parse(String(data)) as DeadLetter
  return { key, reason, attempts, diedAt }
}
