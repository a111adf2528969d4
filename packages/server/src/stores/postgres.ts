/** The store for a fleet: a schema in the merchant's Postgres. */
import { within } from '../deadline.ts'
import { misconfigured } from '../errors.ts'
import { type Checks, checkOptions, must } from '../options.ts'
import { canDo, isObject } from '../unknown.ts'
import {
  type Database,
  type Dialect,
  LATEST,
  migrate,
  type Row,
  type Statement,
  type Steps,
} from './sql/database.ts'
import { cannotComplete, sqlStore } from './sql/store.ts'
import { ANSWER_MS, type IdempotencyRecord, type Store } from './store.ts'

/** Anything that runs SQL: a pool or a client of node-postgres. */
interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** A pool of node-postgres, or an object with the same two functions. */
export interface PostgresPool extends Queryable {
  connect(): Promise<Queryable & { release(error?: boolean): void }>
  on?(event: 'error', listener: () => void): unknown
  on?(
    event: 'connect',
    listener: (client: { on(event: 'error', listener: () => void): unknown }) => void,
  ): unknown
}

export interface PostgresStoreOptions {
  /**
   * The schema of the store's tables. Environments that share a database need one each. Lower-case letters, digits and underscores, at
   * most 40. Default `purchase_widget`.
   */
  schema?: string
}

const checks: Checks<PostgresStoreOptions> = {
  schema: must(
    (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,39}$/.test(value),
    'be at most 40 lower-case letters, digits and underscores',
  ),
}

/**
 * A store in Postgres 13 or later. The schema is created on first use, by a role that may create schemas in this
 * database; afterwards a role that may use it is enough.
 *
 * A call without an answer rejects after 5 seconds, and its connection is closed.
 *
 * @param pool of node-postgres (`pg`). `close()` does not end it: it stays yours.
 * @throws InvalidInputError for anything but a pool, an unknown option, and an invalid schema name.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): Store {
  if (!canDo(pool, 'query', 'connect')) {
    throw misconfigured('postgresStore needs a pool: postgresStore(new Pool({ … })), of pg.')
  }
  checkOptions('postgresStore', options, checks)
  const { schema = 'purchase_widget' } = options
  const database = openDatabase(pool, schema)
  return {
    ...sqlStore(database, (transaction, record) => addWithin(database.dialect, transaction, record)),
    forgets: false,
    async close() {},
  }
}

/**
 * The merchant's transaction: a client of node-postgres between `BEGIN` and `COMMIT`, or anything else that runs SQL, adapted
 * in one line.
 *
 *     Prisma   { query: (text, values) => tx.$queryRawUnsafe(text, ...values) }
 *     Kysely   { query: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)) }
 *     Drizzle  { query: (text, values) => tx.execute(sql(text.split(/\$\d/) as unknown as TemplateStringsArray, ...values)) }
 */
export interface PostgresTransaction {
  /** Returns the rows, or an object that has them. */
  query(text: string, values: string[]): Promise<readonly unknown[] | { rows: readonly unknown[] }>
}

/**
 * Implements `complete`: adds the idempotency record inside the merchant's transaction.
 *
 * Outside a transaction each statement is a transaction with an id of its own: the second writes only if its id equals that of the
 * first. Each placeholder occurs once and in order, and the result is a single text, whatever a driver calls its column.
 *
 * @returns false when the record already existed.
 */
async function addWithin(
  { prefix, now }: Dialect,
  transaction: unknown,
  record: IdempotencyRecord,
): Promise<boolean> {
  if (!isTransaction(transaction)) throw cannotComplete(CLIENT_WANTED)
  if (isPool(transaction)) throw cannotComplete(TRANSACTION_WANTED)
  const id = await ask(transaction, 'SELECT pg_current_xact_id()::text AS id', [])
  const outcome = await ask(
    transaction,
    `WITH here AS (SELECT pg_current_xact_id()::text = $1::text AS is_same),
      added AS (INSERT INTO ${prefix}handled (order_id, type, purchase_id, handled_at)
        SELECT $2::text, $3::text, $4::text, ${now} FROM here WHERE is_same ON CONFLICT DO NOTHING RETURNING 1)
      SELECT CASE WHEN NOT is_same THEN 'outside' WHEN EXISTS (SELECT 1 FROM added) THEN 'added' ELSE 'known' END
        AS outcome FROM here`,
    [id, record.orderId, record.type, record.purchaseId ?? ''],
  )
  if (outcome === 'outside') throw cannotComplete(TRANSACTION_WANTED)
  return outcome === 'added'
}

/** The first column of the first row. */
async function ask(transaction: PostgresTransaction, text: string, values: string[]): Promise<string> {
  const result: unknown = await transaction.query(text, values)
  const rows: unknown = isObject(result) && 'rows' in result ? result.rows : result
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  if (!isObject(row)) throw cannotComplete('query must return the rows, or an object that contains them.')
  return String(Object.values(row)[0])
}

const isTransaction = (value: unknown): value is PostgresTransaction => canDo(value, 'query')

/** A pool of node-postgres: under low load it reuses the same connection, and the ids would agree. */
const isPool = (value: object): boolean => 'totalCount' in value && 'idleCount' in value

const CLIENT_WANTED =
  'give it a client of node-postgres inside a transaction, or { query: (text, values) => … } of what you use instead.'

const TRANSACTION_WANTED =
  'it needs a transaction. BEGIN first, and pass the connection that runs it, not the pool; COMMIT when the delivery is written too.'

/** Milliseconds since 1970, by the server's clock. */
const now = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

const dialectOf = (schema: string): Dialect => ({
  prefix: `${schema}.`,
  now,
  numbered: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  byBytes: ' COLLATE "C"',
  ordersAsJson: `coalesce(json_agg(json_build_object('id', id, 'type', type, 'state', state, 'summary', summary)
    ORDER BY number), '[]')::text`,
  forUpdate: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
})

function openDatabase(pool: PostgresPool, schema: string): Database {
  const dialect = dialectOf(schema)
  let made: Promise<void> | null = null
  surviveLostConnections(pool)

  function whenMade(): Promise<void> {
    made ??= make(pool, schema, dialect).catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }

  const once = <T>(task: () => Promise<T>): Promise<T> => within(ANSWER_MS, whenMade().then(task), 'Postgres')
  const query = (...statement: Statement): Promise<Row[]> => once(() => run(pool, statement))
  return {
    dialect,
    read: query,
    write: query,
    transaction: (steps) => once(() => transaction(pool, steps)),
    lock: (name) => [lockOf(`${schema} ${name}`)],
  }
}

/** Excludes every other transaction that locks the same name, until this one ends. */
const lockOf = (name: string): Statement => [
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked',
  name,
]

/**
 * Postgres closes connections when it restarts. Without a listener, a connection that is idle then, in the pool or inside a transaction,
 * would end the whole process. The pool opens another, and the next call on the old one rejects.
 */
function surviveLostConnections(pool: PostgresPool): void {
  const ignore = (): void => {}
  pool.on?.('error', ignore)
  pool.on?.('connect', (client) => client.on('error', ignore))
}

/**
 * A client whose work failed, or did not answer in time, is closed. That ends its transaction, and a connection that has gone silent leaves its
 * place in the pool to another.
 */
async function withClient<T>(
  pool: PostgresPool,
  work: (client: Queryable) => Promise<T>,
  ms: number = ANSWER_MS,
): Promise<T> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const result = await within(ms, work(client), 'Postgres')
    isBroken = false
    return result
  } finally {
    client.release(isBroken)
  }
}

const send = async (client: Queryable, [text, ...values]: Statement): Promise<Row[]> =>
  (await client.query(text, values)).rows

const run = (pool: PostgresPool, statement: Statement): Promise<Row[]> =>
  withClient(pool, (client) => send(client, statement))

const transaction = <T>(pool: PostgresPool, steps: Steps<T>, ms?: number): Promise<T> =>
  withClient(
    pool,
    async (client) => {
      await client.query('BEGIN')
      const running = steps()
      let step = running.next()
      while (!step.done) step = running.next(await send(client, step.value))
      await client.query('COMMIT')
      return step.value
    },
    ms,
  )

/** How long the schema may take, while others create it or the database is busy: callers do not wait for it to the end. */
const MAKE_MS = 60_000

/** Instances that start at once create the schema one after the other. A role that may not create it can use an existing one. */
async function make(pool: PostgresPool, schema: string, dialect: Dialect): Promise<void> {
  // Reads the catalogue: name resolution uses a cache that may not know what other instances have created.
  const tables: Statement = [
    `SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`,
    schema,
  ]
  const [made] = await run(pool, tables)
  if (made && (await run(pool, [`SELECT version FROM ${schema}.migrations`])).length === LATEST) return
  const steps: Steps<void> = function* () {
    yield lockOf(`${schema} migrations`)
    const [present] = yield tables
    if (!present) yield [`CREATE SCHEMA IF NOT EXISTS ${schema}`]
    yield* migrate(dialect)
  }
  await transaction(pool, steps, MAKE_MS)
}
