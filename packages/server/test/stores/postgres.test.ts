// Promise: stores/conformance
/** The Postgres store passes the suite over two pools of a real server, and keeps its word between processes and inside a shop's transactions. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { storeConformance } from '../../src/testing.ts'
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

  test('takes whatever runs SQL and gives rows as a transaction, and refuses the rest', async () => {
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
    await expect(one.handled.addWithin?.(countsAlone, record)).rejects.toThrow(/must give the rows/)
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
    // While nobody else asks, a pool gives the connection that was begun on; later it gives another.
    await single.query('BEGIN')
    await expect(one.handled.addWithin?.(single, record)).rejects.toThrow(/not the pool/)
    await single.query('ROLLBACK')
    await single.end()
    client.release()
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

  test('sixteen holders of locks leave a pool of ten to the transactions of the shop', async () => {
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

  test('refuses a name that is no plain name of a schema', () => {
    expect(() => postgresStore(shop, { schema: 'a; DROP TABLE orders' })).toThrow(/schema must be/)
  })
})
