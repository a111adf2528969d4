// Promise: stores/conformance
/** The Postgres store passes the suite over two pools of a real server, between processes and inside transactions of a shop and of query builders. */

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { KEEP_HANDLED_MS, PURCHASES_PER_SHOPPER, type Store } from '../../src/stores/store.ts'
import { purchaseOf } from '../../testing/checks.ts'
import { storeConformance } from '../../testing/index.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { keepsItsWord, recordOf, type Shared } from './keepsItsWord.ts'

const record = recordOf('order-1')

describe.skipIf(!hasPostgres)('the Postgres store', () => {
  let server: PostgresServer
  let shop: pg.Pool
  let schemas = 0

  beforeAll(async () => {
    server = await startPostgres()
    shop = new pg.Pool({ connectionString: server.url })
  })
  afterAll(async () => {
    await shop.end()
    await server.close()
  })

  async function twoPools(): Promise<Shared> {
    const schema = `test_${++schemas}`
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: server.url, max: 5 }))
    const [one, other] = pools.map((pool) => postgresStore(pool, { schema }))
    if (!one || !other) throw new Error('There are two.')
    return {
      of: { kind: 'postgres', url: server.url, schema },
      prefix: `${schema}.`,
      one,
      other,
      async openShop() {
        const client = await shop.connect()
        return {
          connection: client,
          run: async (sql) => (await client.query(sql)).rows,
          close: async () => client.release(),
        }
      },
      async end() {
        await Promise.all([one.close(), other.close()])
        await Promise.all(pools.map((pool) => pool.end()))
        await shop.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      },
    }
  }

  storeConformance({ describe, test }, 'Postgres', twoPools)

  keepsItsWord(twoPools)

  test('takes anything that runs SQL and returns rows as a transaction, and refuses the rest', async () => {
    const { one, end } = await twoPools()
    await one.handled.has('order-1', 'order_complete')
    const client = await shop.connect()
    const rowsAlone = {
      query: async (text: string, values: string[]) => (await client.query(text, values)).rows,
    }
    const rowsAsLists = {
      query: (text: string, values: string[]) => client.query({ text, values, rowMode: 'array' }),
    }
    await client.query('BEGIN')
    expect(await one.handled.addWithin?.(rowsAlone, record)).toBe(true)
    expect(await one.handled.addWithin?.(rowsAsLists, record)).toBe(false)
    await client.query('SAVEPOINT inner_part')
    expect(await one.handled.addWithin?.(client, { ...record, type: 'order_failed' })).toBe(true)
    await client.query('COMMIT')
    expect(await one.handled.has('order-1', 'order_complete')).toBe(true)
    expect(await one.handled.has('order-1', 'order_failed')).toBe(true)
    const countsAlone = { query: async () => 1 }
    await expect(one.handled.addWithin?.(countsAlone, record)).rejects.toThrow(/must return the rows/)
    client.release()
    await expect(one.handled.addWithin?.({ prepare() {} }, record)).rejects.toThrow(/node-postgres/)
    await end()
  })

  test('records nothing without a transaction', async () => {
    const { one, end } = await twoPools()
    await one.handled.has('order-1', 'order_complete')
    const client = await shop.connect()
    const single = new pg.Pool({ connectionString: server.url, max: 1 })
    const rowsOf = (runs: pg.Pool | pg.PoolClient) => ({
      query: async (text: string, values: string[]) => (await runs.query(text, values)).rows,
    })
    const outside = { client, pool: shop, single, rows: rowsOf(client), 'rows of a pool': rowsOf(single) }
    for (const [type, connection] of Object.entries(outside)) {
      const added = one.handled.addWithin?.(connection, { ...record, type })
      await expect(added, type).rejects.toThrow(/needs a transaction. BEGIN first.+not the pool/)
      expect(await one.handled.has('order-1', type), type).toBe(false)
    }
    // While it is otherwise unused, a pool returns the connection of the BEGIN; later it returns another.
    await single.query('BEGIN')
    await expect(one.handled.addWithin?.(single, record)).rejects.toThrow(/not the pool/)
    await single.query('ROLLBACK')
    await single.end()
    client.release()
    await end()
  })

  test('keeps a purchase that is claimed while another of its shopper begins and would evict it', async () => {
    const { one, prefix, end } = await twoPools()
    const [oldest] = await Promise.all(
      Array.from({ length: PURCHASES_PER_SHOPPER }, async (_, at) => {
        const purchase = purchaseOf({ begunAt: 1_000 + at, validUntil: Date.now() })
        await one.purchases.begin(purchase)
        return purchase
      }),
    )
    const id = oldest?.id ?? ''
    const client = await shop.connect()
    await client.query('BEGIN')
    await client.query(`UPDATE ${prefix}purchases SET claimed_by = 'order-1' WHERE id = $1`, [id])
    const begun = one.purchases.begin(purchaseOf({ begunAt: 9_000, validUntil: Date.now() }))
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM ${prefix}purchases%'`
    await expect.poll(async () => (await shop.query(waiting)).rows).toHaveLength(1)
    await client.query('COMMIT')
    client.release()
    await begun
    expect((await one.purchases.find(id))?.claimedBy).toBe('order-1')
    await end()
  })

  test('keeps an expired purchase that another transaction prolongs while it is swept', async () => {
    const { one, prefix, end } = await twoPools()
    const purchase = purchaseOf()
    await one.purchases.begin(purchase)
    await shop.query(`UPDATE ${prefix}purchases SET kept_until = 1`)
    const client = await shop.connect()
    await client.query('BEGIN')
    await client.query(`UPDATE ${prefix}purchases SET kept_until = ${Date.now() + 60_000}`)
    const swept = one.sweep(100, KEEP_HANDLED_MS)
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM ${prefix}purchases%'`
    await expect.poll(async () => (await shop.query(waiting)).rows).not.toHaveLength(0)
    await client.query('COMMIT')
    client.release()
    await swept
    expect(await one.purchases.find(purchase.id)).not.toBeNull()
    await end()
  })

  test('works in a pool of one connection', async () => {
    const schema = `test_${++schemas}`
    const pool = new pg.Pool({ connectionString: server.url, max: 1 })
    const store = postgresStore(pool, { schema })
    await store.jobs.add('job', 'trusted')
    const [job] = await store.jobs.claim('trusted', 1, 1_000)
    if (job) await store.jobs.bury(job, 'why')
    expect(await store.jobs.deadLetters(1)).toHaveLength(1)
    await store.close()
    await pool.end()
  })

  test('sixteen lock holders leave a pool of ten connections available to the shop’s transactions', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 10 })
    const store = postgresStore(pool, { schema: `test_${++schemas}` })
    let release = (): void => {}
    const allHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    let held = 0
    const orders = Array.from({ length: 16 }, (_, index) =>
      store.withLock(`order:${index}`, async () => {
        if (++held === 16) release()
        await allHeld
        const client = await pool.connect()
        await client.query('BEGIN')
        await store.handled.addWithin?.(client, recordOf(`order-${index}`))
        await client.query('COMMIT')
        client.release()
        return store.handled.has(`order-${index}`, 'order_complete')
      }),
    )
    expect(new Set(await Promise.all(orders))).toEqual(new Set([true]))
    await store.close()
    await pool.end()
  })

  test('rejects in time when the server does not answer, and works again afterwards', async () => {
    const own = await startPostgres()
    const pool = new pg.Pool({ connectionString: own.url })
    const store = postgresStore(pool)
    await store.set('a', 'value', null)
    own.pause()
    await expect(store.get('a')).rejects.toThrow('did not answer')
    own.resume()
    expect((await store.get('a'))?.value).toBe('value')
    await store.close()
    await pool.end()
    await own.close()
  })

  test('refuses an invalid schema name', () => {
    expect(() => postgresStore(shop, { schema: 'a; DROP TABLE orders' })).toThrow(/schema must be/)
  })
})

// Promise: fulfilment/exactly-once
const deliveries = pgTable('deliveries', { order_id: text().notNull() })

/** Values that `complete` accepts in place of a connection. */
interface Runs {
  query(text: string, values: string[]): Promise<unknown>
}

interface Builder {
  /** Runs the task in a transaction; `deliver` writes outside it. */
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
    '%s delivers once in a transaction, and records nothing outside',
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
