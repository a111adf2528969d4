/** Which states of which orders were handled, in Postgres: through the store's pool, or inside a transaction of the merchant's. */
import { InvalidInputError } from '../../errors.ts'
import type { Handled, Mark } from '../store.ts'
import type { Database } from './database.ts'

/**
 * The merchant's transaction: a client of node-postgres between `BEGIN` and `COMMIT`, or anything else that runs SQL, adapted
 * in one line.
 *
 *     Prisma   { query: (text, values) => tx.$queryRawUnsafe(text, ...values) }
 *     Kysely   { query: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)) }
 *     Drizzle  { query: (text, values) => tx.execute(sql(text.split(/\$\d/) as unknown as TemplateStringsArray, ...values)) }
 */
export interface PostgresTransaction {
  /** Gives the rows, or an object that has them. */
  query(text: string, values: string[]): Promise<readonly unknown[] | { rows: readonly unknown[] }>
}

export function postgresHandled(database: Database): Handled {
  const { schema } = database
  const insert = `INSERT INTO ${schema}.handled (order_id, type, purchase_id) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING order_id`
  return {
    async has(orderId, type) {
      const rows = await database.query(
        `SELECT 1 FROM ${schema}.handled WHERE order_id = $1 AND type = $2`,
        ...[orderId, type],
      )
      return rows.length > 0
    },
    async add(mark) {
      return (await database.query(insert, ...valuesOf(mark))).length === 1
    },
    async addWithin(transaction, mark) {
      if (!isTransaction(transaction)) {
        throw new InvalidInputError(
          'complete',
          'give it a client of node-postgres inside a transaction, or { query: (text, values) => … } of what you use instead.',
        )
      }
      const result = await transaction.query(insert, valuesOf(mark))
      return ('rows' in result ? result.rows : result).length === 1
    },
    async sweep(before, limit) {
      const rows = await database.query(
        `DELETE FROM ${schema}.handled WHERE (order_id, type) IN (
          SELECT order_id, type FROM ${schema}.handled AS marks
          WHERE handled_at < to_timestamp($1::float8 / 1000)
            AND NOT EXISTS (SELECT 1 FROM ${schema}.purchases WHERE id = marks.purchase_id)
          ORDER BY handled_at LIMIT $2) RETURNING 1`,
        ...[before, limit],
      )
      return rows.length
    },
  }
}

/** Texts alone, which every driver gives to Postgres in the same way. */
const valuesOf = ({ orderId, type, purchaseId }: Mark): string[] => [orderId, type, purchaseId ?? '']

const isTransaction = (value: unknown): value is PostgresTransaction =>
  typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function'
