// Promise: fulfilment/exactly-once
/** `complete(tx)` inside transactions of query builders, as docs/deliver.md writes it: delivery and record are both there, or neither. */

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import type { Store } from '../../src/stores/store.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { recordOf } from './keepsItsWord.ts'

const deliveries = pgTable('deliveries', { order_id: text().notNull() })

/** What `complete` takes in place of a connection. */
interface Runs {
  query(text: string, values: string[]): Promise<unknown>
}

interface Builder {
  /** Runs the task in a transaction; `deliver` writes beside it. */
  within(task: (tx: Runs, deliver: (id: string) => Promise<unknown>) => Promise<void>): Promise<void>
  outside: Runs
}

const builders: Record<string, (pool: pg.Pool) => Builder> = {
  Kysely(pool) {
    const database = new Kysely<{ deliveries: { order_id: string } }>({
      dialect: new PostgresDialect({ pool }),
    })
    const on = (runs: Pick<typeof database, 'executeQuery'>): Runs => ({
      query: (text, values) => runs.executeQuery(CompiledQuery.raw(text, values)),
    })
    return {
      within: (task) =>
        database
          .transaction()
          .execute((tx) =>
            task(on(tx), (order_id) => tx.insertInto('deliveries').values({ order_id }).execute()),
          ),
      outside: on(database),
    }
  },
  Drizzle(pool) {
    const database = drizzle({ client: pool })
    const on = (runs: Pick<typeof database, 'execute'>): Runs => ({
      query: (text, values) =>
        runs.execute(sql(text.split(/\$\d/) as unknown as TemplateStringsArray, ...values)),
    })
    return {
      within: (task) =>
        database.transaction((tx) => task(on(tx), (order_id) => tx.insert(deliveries).values({ order_id }))),
      outside: on(database),
    }
  },
}

describe.skipIf(!hasPostgres)('complete(tx)', () => {
  let server: PostgresServer
  let pool: pg.Pool
  let store: Store

  beforeAll(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url })
    store = postgresStore(pool)
    await pool.query('CREATE TABLE deliveries (order_id text NOT NULL)')
    await store.handled.has('nothing', 'order_complete')
  })
  afterAll(async () => {
    await store.close()
    await pool.end()
    await server.close()
  })

  test.each(Object.entries(builders))(
    'by %s delivers once in a transaction, and records nothing outside',
    async (name, build) => {
      const { within, outside } = build(pool)
      const id = `order of ${name}`
      const isHandled = (): Promise<boolean> => store.handled.has(id, 'order_complete')
      const handle = (failure?: Error): Promise<void> =>
        within(async (tx, deliver) => {
          if (await store.handled.addWithin?.(tx, recordOf(id))) await deliver(id)
          if (failure) throw failure
        })
      await expect(store.handled.addWithin?.(outside, recordOf(id))).rejects.toThrow(/needs a transaction/)
      await expect(handle(new Error('the shop failed'))).rejects.toThrow('the shop failed')
      expect(await isHandled()).toBe(false)
      await handle()
      await handle()
      expect(await isHandled()).toBe(true)
      const { rows } = await pool.query('SELECT 1 FROM deliveries WHERE order_id = $1', [id])
      expect(rows).toHaveLength(1)
    },
  )
})
