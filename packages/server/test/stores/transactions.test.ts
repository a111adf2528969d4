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

/** What `onOrder` gets, for one order. */
type Complete = (transaction: unknown) => boolean | Promise<boolean>
type Deliver = (complete: Complete, order: { id: string }) => Promise<void>

const deliveries = pgTable('deliveries', { order_id: text().notNull() })

function ways(pool: pg.Pool): Record<string, Deliver> {
  const kysely = new Kysely<{ deliveries: { order_id: string } }>({ dialect: new PostgresDialect({ pool }) })
  const database = drizzle({ client: pool })
  return {
    Kysely: (complete, order) =>
      kysely.transaction().execute(async (tx) => {
        const query = (text: string, values: string[]) => tx.executeQuery(CompiledQuery.raw(text, values))
        if (await complete({ query }))
          await tx.insertInto('deliveries').values({ order_id: order.id }).execute()
      }),
    Drizzle: (complete, order) =>
      database.transaction(async (tx) => {
        const query = (text: string, values: string[]) =>
          tx.execute(sql(text.split(/\$\d/) as unknown as TemplateStringsArray, ...values))
        if (await complete({ query })) await tx.insert(deliveries).values({ order_id: order.id })
      }),
  }
}

/** The same without their transactions. */
function outside(pool: pg.Pool): Record<string, { query(text: string, values: string[]): Promise<unknown> }> {
  const kysely = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  const database = drizzle({ client: pool })
  return {
    Kysely: { query: (text, values) => kysely.executeQuery(CompiledQuery.raw(text, values)) },
    Drizzle: {
      query: (text, values) =>
        database.execute(sql(text.split(/\$\d/) as unknown as TemplateStringsArray, ...values)),
    },
  }
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

  const delivered = async (id: string): Promise<number> =>
    (await pool.query('SELECT 1 FROM deliveries WHERE order_id = $1', [id])).rows.length

  test.each(['Kysely', 'Drizzle'])('in a transaction of %s delivers once', async (name) => {
    const deliver = ways(pool)[name]
    const order = { id: `order of ${name}` }
    const complete: Complete = (transaction) =>
      store.handled.addWithin?.(transaction, recordOf(order.id)) ?? false

    const failing: Complete = async (transaction) => {
      await complete(transaction)
      throw new Error('the shop failed after it had completed')
    }
    await expect(deliver?.(failing, order)).rejects.toThrow('the shop failed')
    expect(await store.handled.has(order.id, 'order_complete')).toBe(false)
    await deliver?.(complete, order)
    await deliver?.(complete, order)
    expect(await store.handled.has(order.id, 'order_complete')).toBe(true)
    expect(await delivered(order.id)).toBe(1)
  })

  test.each(['Kysely', 'Drizzle'])('outside of a transaction of %s records nothing', async (name) => {
    const record = recordOf(`order outside of ${name}`)
    await expect(store.handled.addWithin?.(outside(pool)[name], record)).rejects.toThrow(
      /needs a transaction/,
    )
    expect(await store.handled.has(record.orderId, record.type)).toBe(false)
  })
})
