/** The shop's own tables next to the store's, in the same database, and what `onOrder` does with them. They have no unique key. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { OrderEvent } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import type { StoreOf } from '../stores/storeProcess.ts'

export interface Delivery {
  call: { order_id: string; type: string }
  delivery: { order_id: string; state: string } | null
  complete: OrderEvent['complete'] | (() => boolean)
  beforeCommit?(): void
}

export interface Shelf {
  store: Store
  /** In one transaction, unless `complete` reports an earlier delivery. The call is recorded outside it. */
  deliver(delivery: Delivery): Promise<void>
  query(sql: string): Promise<Record<string, unknown>[]>
  /** The first column of the first row. */
  count(sql: string): Promise<number>
  /** Together with its store. */
  close(): Promise<void>
}

const tables = [
  'CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS calls (order_id TEXT NOT NULL, type TEXT NOT NULL)',
]

const countBy =
  (query: Shelf['query']): Shelf['count'] =>
  async (sql) =>
    Number(Object.values((await query(sql))[0] ?? {})[0])

export const openShelf = (of: StoreOf): Promise<Shelf> =>
  of.kind === 'sqlite' ? sqliteShelf(of.file) : postgresShelf(of.url, of.schema)

async function sqliteShelf(file: string): Promise<Shelf> {
  const database = new DatabaseSync(file)
  // The process is blocked while SQLite waits for another writer.
  database.exec('PRAGMA busy_timeout = 20; PRAGMA journal_mode = WAL')
  for (const table of tables) database.exec(table)
  const store = sqliteStore(file)
  const query = async (sql: string): Promise<Record<string, unknown>[]> => database.prepare(sql).all()
  return {
    store,
    query,
    async deliver({ call, delivery, complete, beforeCommit }) {
      database.prepare('INSERT INTO calls VALUES (?, ?)').run(call.order_id, call.type)
      database.exec('BEGIN IMMEDIATE')
      try {
        if (complete(database) && delivery)
          database
            .prepare('INSERT INTO deliveries VALUES (?, ?, ?)')
            .run(delivery.order_id, delivery.state, Date.now())
        beforeCommit?.()
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    count: countBy(query),
    async close() {
      await store.close()
      database.close()
    },
  }
}

async function postgresShelf(url: string, schema: string): Promise<Shelf> {
  // In a schema of its own, like the store's: another shop on this server does not share it.
  const shelf = `${schema}_shelf`
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${shelf}` })
  const store = postgresStore(pool, { schema })
  // Instances that start at once create the tables one after the other: one text is one transaction, and holds the lock until its end.
  const made = [`CREATE SCHEMA IF NOT EXISTS ${shelf}`, ...tables].join(';')
  await pool.query(`SELECT pg_advisory_xact_lock(1); ${made}`)
  const query = async (sql: string): Promise<Record<string, unknown>[]> => (await pool.query(sql)).rows
  return {
    store,
    query,
    async deliver({ call, delivery, complete, beforeCommit }) {
      await pool.query('INSERT INTO calls VALUES ($1, $2)', [call.order_id, call.type])
      const client = await pool.connect()
      try {
        await client.query('BEGIN')
        if ((await complete(client)) && delivery)
          await client.query('INSERT INTO deliveries VALUES ($1, $2, $3)', [
            delivery.order_id,
            delivery.state,
            Date.now(),
          ])
        beforeCommit?.()
        await client.query('COMMIT')
        client.release()
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    count: countBy(query),
    async close() {
      await store.close()
      await pool.end()
    },
  }
}
