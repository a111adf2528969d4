/** `complete` in Postgres: the idempotency record inside a transaction of the merchant's. */
import { InvalidInputError } from '../../errors.ts'
import { canDo, isObject } from '../../unknown.ts'
import type { Dialect } from '../sql/database.ts'
import type { IdempotencyRecord } from '../store.ts'

/** Texts alone, which every driver gives to Postgres in the same way. */
const valuesOf = ({ orderId, type, purchaseId }: IdempotencyRecord): string[] => [
  orderId,
  type,
  purchaseId ?? '',
]

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

/**
 * Outside of a transaction each statement is one of its own, with an id of its own: the second writes only where it has the id of the
 * first. Each placeholder comes once and in order, and what is read is one text, whatever a driver calls its column.
 *
 * @returns false when the record was there.
 */
export async function addWithin(
  { prefix, now }: Dialect,
  transaction: unknown,
  record: IdempotencyRecord,
): Promise<boolean> {
  if (!isTransaction(transaction)) throw wrong(CLIENT_WANTED)
  if (isPool(transaction)) throw wrong(TRANSACTION_WANTED)
  const id = await ask(transaction, 'SELECT pg_current_xact_id()::text AS id', [])
  const outcome = await ask(
    transaction,
    `WITH here AS (SELECT pg_current_xact_id()::text = $1::text AS is_same),
      added AS (INSERT INTO ${prefix}handled (order_id, type, purchase_id, handled_at)
        SELECT $2::text, $3::text, $4::text, ${now} FROM here WHERE is_same ON CONFLICT DO NOTHING RETURNING 1)
      SELECT CASE WHEN NOT is_same THEN 'outside' WHEN EXISTS (SELECT 1 FROM added) THEN 'added' ELSE 'known' END
        AS outcome FROM here`,
    [id, ...valuesOf(record)],
  )
  if (outcome === 'outside') throw wrong(TRANSACTION_WANTED)
  return outcome === 'added'
}

/** The first column of the first row. */
async function ask(transaction: PostgresTransaction, text: string, values: string[]): Promise<string> {
  const result: unknown = await transaction.query(text, values)
  const rows: unknown = isObject(result) && 'rows' in result ? result.rows : result
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  if (!isObject(row)) throw wrong('query must give the rows, or an object that has them.')
  return String(Object.values(row)[0])
}

const isTransaction = (value: unknown): value is PostgresTransaction => canDo(value, 'query')

/** Of node-postgres. While there is little to do it gives the same connection again, and the ids would agree. */
const isPool = (value: object): boolean => 'totalCount' in value && 'idleCount' in value

const wrong = (message: string): InvalidInputError => new InvalidInputError('complete', message)

const CLIENT_WANTED =
  'give it a client of node-postgres inside a transaction, or { query: (text, values) => … } of what you use instead.'

const TRANSACTION_WANTED =
  'it needs a transaction. BEGIN first, and pass the connection that runs it, not the pool; COMMIT when the delivery is written too.'
