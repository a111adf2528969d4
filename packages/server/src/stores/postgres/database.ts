/** The store's schema in Postgres, reached through the merchant's pool, and made when it is first needed. */
import { within } from '../../deadline.ts'
import type { Row } from '../rows.ts'
import { ANSWER_MS } from '../store.ts'
import { migrations } from './schema.ts'

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

/** Runs one statement, and gives its rows. */
export type Query = (text: string, ...values: unknown[]) => Promise<Row[]>

export interface Database {
  readonly schema: string
  readonly query: Query
  /** One transaction on one connection. */
  transaction<T>(task: (sql: Sql) => Promise<T>): Promise<T>
}

export interface Sql {
  readonly run: Query
  /** Lets nobody else in who names the same thing, until this transaction ends. */
  lock(name: string): Promise<void>
}

/** So many milliseconds from now, by the server's clock. */
export const later = (ms: string | number): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`

export function openDatabase(pool: PostgresPool, schema: string): Database {
  let made: Promise<void> | null = null
  surviveLostConnections(pool)

  function make(): Promise<void> {
    made ??= migrate(pool, schema).catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }

  const once = <T>(task: () => Promise<T>): Promise<T> => within(ANSWER_MS, make().then(task), 'Postgres')
  return {
    schema,
    query: (text, ...values) => once(() => queryOf(pool)(text, ...values)),
    transaction: (task) => once(() => transaction(pool, task)),
  }
}

/**
 * Postgres ends connections when it is restarted. One that nobody is asking anything at that moment, in the pool or inside a transaction,
 * would end the whole process. The pool opens another, and the next call on the old one rejects.
 */
function surviveLostConnections(pool: PostgresPool): void {
  const ignore = (): void => {}
  pool.on?.('error', ignore)
  pool.on?.('connect', (client) => client.on('error', ignore))
}

const queryOf =
  (connection: Queryable): Query =>
  async (text, ...values) =>
    (await connection.query(text, values)).rows

async function transaction<T>(pool: PostgresPool, task: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('BEGIN')
    const result = await task(sqlOf(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

function sqlOf(client: Queryable): Sql {
  const run = queryOf(client)
  return {
    run,
    async lock(name) {
      await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', name)
    },
  }
}

/** Instances that start at once make the schema one after the other. A role that may not make one can use one that is there. */
async function migrate(pool: PostgresPool, schema: string): Promise<void> {
  if ((await versionOf(queryOf(pool), schema)) === migrations.length) return
  await transaction(pool, async (sql) => {
    await sql.lock(`${schema} migrations`)
    const done = await versionOf(sql.run, schema)
    if (done === null) {
      await sql.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      await sql.run(`CREATE TABLE ${schema}.migrations (version integer PRIMARY KEY)`)
    }
    for (let version = done ?? 0; version < migrations.length; version++) {
      for (const statement of migrations[version]?.(schema) ?? []) await sql.run(statement)
      await sql.run(`INSERT INTO ${schema}.migrations VALUES ($1)`, version + 1)
    }
  })
}

/** Null: there is nothing yet. Read from the catalogue's rows: names are resolved by a cache that may not know what others made. */
async function versionOf(query: Query, schema: string): Promise<number | null> {
  const tables = await query(
    `SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations'`,
    schema,
  )
  if (tables.length === 0) return null
  return (await query(`SELECT version FROM ${schema}.migrations`)).length
}
