/** Which states of which orders were handled, in Postgres: through the store's pool, or inside a transaction of the merchant's. */
import { InvalidInputError } from '../../errors.ts'
import type { Handled } from '../store.ts'
import type { Database } from './database.ts'

/**
 * The merchant's transaction: a client of node-postgres between `BEGIN` and `COMMIT`, or anything else that runs SQL, adapted
 * in one line.
 *
 *     Prisma   { query: (text, values) => tx.$queryRawUnsafe(text, ...values) }
 *     Kysely   { query: (text, values) => trx.executeQuery(CompiledQuery.raw(text, values)) }
 *     Drizzle  { query: (text, values) => tx.execute(sql.join(text.split(/\$\d/).map((part, i) => sql`${sql.raw(part)}${i < values.length ? values[i] : sql.empty()}`))) }
 */
export interface PostgresTransaction {
  /** Gives the rows, or an object that has them. */
  query(text: string, values: string[]): Promise<readonly unknown[] | { rows: readonly unknown[] }>
}

export function postgresHandled(database: Database): Handled {
  const { schema } = database
  const insert = `INSERT INTO ${schema}.handled (order_id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING order_id`
  return {
    async has(orderId, type) {
      const rows = await database.query(
        `SELECT 1 FROM ${schema}.handled WHERE order_id = $1 AND type = $2`,
        ...[orderId, type],
      )
      return rows.length > 0
    },
    async add(orderId, type) {
      return (await database.query(insert, orderId, type)).length === 1
    },
    async addWithin(transaction, orderId, type) {
      if (!isTransaction(transaction)) {
        throw new InvalidInputError(
          'complete',
          'give it a client of node-postgres inside a transaction, or { query: (text, values) => … } of what you use instead.',
        )
      }
      const result = await transaction.query(insert, [orderId, type])
      return ('rows' in result ? result.rows : result).length === 1
    },
  }
}

const isTransaction = (value: unknown): value is PostgresTransaction =>
  typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function'
