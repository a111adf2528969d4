/** The store's schema in Postgres, reached through the merchant's pool, and made when it is first needed. */
import { within } from '../deadline.ts'
import type { Database, Dialect, Row, Statement, Steps } from './sql/database.ts'
import { LATEST, migrate } from './sql/schema.ts'
import { ANSWER_MS } from './store.ts'

/** Whatever runs SQL: a pool or a client of node-postgres. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** A pool of node-postgres, or one that has these two functions. */
export interface PostgresPool extends Queryable {
  connect(): Promise<Queryable & { release(error?: boolean): void }>
  on?(event: 'error', listener: () => void): unknown
  on?(
    event: 'connect',
    listener: (client: { on(event: 'error', listener: () => void): unknown }) => void,
  ): unknown
}

/** Milliseconds since 1970, by the server's clock. */
const now = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

const dialectOf = (schema: string): Dialect => ({
  prefix: `${schema}.`,
  now,
  realNow: now,
  numbered: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  byBytes: ' COLLATE "C"',
  unlogged: 'UNLOGGED',
  ordersAsJson: `coalesce(json_agg(json_build_object('id', id, 'type', type, 'state', state, 'summary', summary)
    ORDER BY number), '[]')::text`,
  forUpdate: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
})

export function openDatabase(pool: PostgresPool, schema: string): Database {
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

/** Lets nobody else in who names the same thing, until this transaction ends. */
const lockOf = (name: string): Statement => [
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked',
  name,
]

/**
 * Postgres ends connections when it is restarted. One that nobody is asking anything at that moment, in the pool or inside a transaction,
 * would end the whole process. The pool opens another, and the next call on the old one rejects.
 */
function surviveLostConnections(pool: PostgresPool): void {
  const ignore = (): void => {}
  pool.on?.('error', ignore)
  pool.on?.('connect', (client) => client.on('error', ignore))
}

const run = async (connection: Queryable, [text, ...values]: Statement): Promise<Row[]> =>
  (await connection.query(text, values)).rows

async function transaction<T>(pool: PostgresPool, steps: Steps<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('BEGIN')
    const running = steps()
    let step = running.next()
    while (!step.done) step = running.next(await run(client, step.value))
    await client.query('COMMIT')
    return step.value
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Instances that start at once make the schema one after the other. A role that may not make one can use one that is there. */
async function make(pool: PostgresPool, schema: string, dialect: Dialect): Promise<void> {
  // From the catalogue's rows: names are resolved by a cache that may not know what others made.
  const tables: Statement = [
    `SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`,
    schema,
  ]
  const [made] = await run(pool, tables)
  if (made && (await run(pool, [`SELECT version FROM ${schema}.migrations`])).length === LATEST) return
  await transaction(pool, function* () {
    yield lockOf(`${schema} migrations`)
    const [present] = yield tables
    if (!present) yield [`CREATE SCHEMA IF NOT EXISTS ${schema}`]
    yield* migrate(dialect)
  })
}
