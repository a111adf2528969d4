// Promise: stores/conformance
/** The Postgres store passes the suite over two pools of a real server, and keeps its word between processes and inside a shop's transactions. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { DEAD_LETTERS, type StoresUnderTest, storeConformance } from '../../src/testing.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { exactlyOnce, survivesKilledProcesses } from './betweenProcesses.ts'

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

  async function twoPools(): Promise<StoresUnderTest & { schema: string }> {
    const schema = `test_${++schemas}`
    const pools = [1, 2].map(() => new pg.Pool({ connectionString: server.url, max: 5 }))
    const [one, other] = pools.map((pool) => postgresStore(pool, { schema }))
    if (!one || !other) throw new Error('There are two.')
    return {
      schema,
      one,
      other,
      async end() {
        await Promise.all([one.close(), other.close()])
        await Promise.all(pools.map((pool) => pool.end()))
        await shop.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      },
    }
  }

  storeConformance({ describe, test }, 'Postgres', twoPools)

  describe('between processes', () => {
    survivesKilledProcesses(async () => {
      const { schema, one, end } = await twoPools()
      return { store: one, of: { kind: 'postgres', url: server.url, schema }, end }
    })
  })

  test('removes values that have ended, once a minute', async () => {
    const { one, schema, end } = await twoPools()
    await one.set('old', 'value', 1)
    await one.set('kept', 'value', null)
    const inTwoMinutes = performance.now() + 120_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(inTwoMinutes)
    await one.set('new', 'value', 60_000)
    clock.mockRestore()
    const keys = async (): Promise<string[]> =>
      (await shop.query(`SELECT key FROM ${schema}.values ORDER BY key`)).rows.map(({ key }) => key)
    await expect.poll(keys).toEqual(['kept', 'new'])
    await end()
  })

  test('records a state as handled inside the transaction of the shop, or not at all', async () => {
    const { one, end } = await twoPools()
    await one.handled.has('order-1', 'order_complete')
    const client = await shop.connect()
    await client.query('CREATE TABLE deliveries (order_id text)')
    await exactlyOnce(one, {
      connection: client,
      run: (sql) => client.query(sql),
      count: async () => Number((await client.query('SELECT count(*) AS n FROM deliveries')).rows[0].n),
    })
    await client.query('DROP TABLE deliveries')
    client.release()
    await end()
  })

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
    const record = { orderId: 'order-1', type: 'order_complete', purchaseId: null }
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
    await expect(
      one.handled.addWithin?.({ prepare() {} }, { orderId: 'order-2', type: 'a', purchaseId: null }),
    ).rejects.toThrow(/node-postgres/)
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
      const added = one.handled.addWithin?.(connection, { orderId: 'order-1', type, purchaseId: null })
      await expect(added, type).rejects.toThrow(/needs a transaction. BEGIN first.+not the pool/)
      expect(await one.handled.has('order-1', type), type).toBe(false)
    }
    // While nobody else asks, a pool gives the connection that was begun on; later it gives another.
    await single.query('BEGIN')
    const record = { orderId: 'order-1', type: 'order_complete', purchaseId: null }
    await expect(one.handled.addWithin?.(single, record)).rejects.toThrow(/not the pool/)
    await single.query('ROLLBACK')
    await single.end()
    client.release()
    await end()
  })

  test('two instances make the schemas at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { one, other, end } = await twoPools()
      const both = [one, other]
      const adds = await Promise.all(
        both.map(({ handled }) => handled.add({ orderId: 'order-1', type: 'a', purchaseId: null })),
      )
      expect(adds.filter(Boolean)).toHaveLength(1)
      expect(await Promise.all(both.map(({ jobs }) => jobs.add('job', 'trusted')))).toEqual([true, true])
      expect(await one.jobs.claim('trusted', 5, 1_000)).toHaveLength(1)
      await end()
    }
  })

  test('the oldest dead letters are removed', async () => {
    const { one, other, schema, end } = await twoPools()
    await one.jobs.add('newest', 'trusted')
    await shop.query(
      `INSERT INTO ${schema}.dead_letters (key, reason, attempts, died_at)
        SELECT 'job-' || number, 'why', 1, 0 FROM generate_series(1, $1::int) AS number`,
      [DEAD_LETTERS],
    )
    const [job] = await one.jobs.claim('trusted', 1, 60_000)
    if (job) await one.jobs.bury(job, 'why')
    const keys = (await other.jobs.deadLetters(DEAD_LETTERS + 1)).map(({ key }) => key)
    expect(keys).toHaveLength(DEAD_LETTERS)
    expect([keys[0], keys.at(-1)]).toEqual(['newest', 'job-2'])
    expect(await other.jobs.redrive()).toBe(DEAD_LETTERS)
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
        await store.handled.addWithin?.(client, {
          orderId: `order-${index}`,
          type: 'order_complete',
          purchaseId: null,
        })
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
