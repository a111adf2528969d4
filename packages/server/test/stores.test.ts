/** What every store promises, in memory and in a real Redis. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryStore, type Store } from '../src/index.ts'
import { redisStore } from '../src/stores/redis.ts'
import { companionOf, get } from './support/companion.ts'
import { hasRedis, type RedisServer, startRedis } from './support/redis.ts'
import { startService } from './support/service.ts'

function promises(open: () => Store): void {
  test('a value is kept, with the life that it has left', async () => {
    const store = open()
    await store.set('a', 'value', 60_000)
    await store.set('b', 'for ever', null)
    const { value, ttlMs } = (await store.get('a')) ?? {}
    expect(value).toBe('value')
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(60_000)
    expect(await store.get('b')).toEqual({ value: 'for ever', ttlMs: null })
    expect(await store.get('c')).toBeNull()
  })

  test('a value whose life is over is gone', async () => {
    const store = open()
    await store.set('short', 'value', 5)
    await sleep(20)
    expect(await store.get('short')).toBeNull()
  })

  test('a lock lets one in at a time, also after one has failed', async () => {
    const store = open()
    let inside = 0
    let most = 0
    const enter = async (): Promise<void> => {
      most = Math.max(most, ++inside)
      await sleep(5)
      inside--
      if (most === 1) throw new Error('failed inside')
    }
    await Promise.allSettled(Array.from({ length: 10 }, () => store.withLock('lock', enter)))
    expect(most).toBe(1)
  })

  test('a queue gives each item to one taker, and again when it is not settled', async () => {
    const queue = open().queue('things')
    await queue.add('one')
    await queue.add('two')
    await queue.add('one')
    const [first, second] = await Promise.all([queue.claim(1, 50), queue.claim(5, 50)])
    expect([...first, ...second].map(({ item }) => item).sort()).toEqual(['one', 'two'])
    await queue.settle(first[0] as never)
    await sleep(80)
    const again = await queue.claim(5, 60_000)
    expect(again.map(({ item }) => item)).toEqual(second.map(({ item }) => item))
    await queue.postpone(again[0] as never, 0)
    expect(await queue.claim(5, 60_000)).toHaveLength(1)
  })

  test('an item that is added again while it is held is not settled away', async () => {
    const queue = open().queue('again')
    await queue.add('one')
    const [claim] = await queue.claim(1, 60_000)
    await queue.add('one')
    await queue.settle(claim as never)
    await queue.postpone(claim as never, 60_000)
    expect(await queue.claim(1, 60_000)).toHaveLength(1)
  })

  test('a counter says how long to wait, for each key by itself', async () => {
    const count = open().counter('calls', 3)
    const waits = []
    for (let index = 0; index < 5; index++) waits.push(await count('ada'))
    expect(waits.slice(0, 3)).toEqual([0, 0, 0])
    for (const wait of waits.slice(3)) {
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60_000)
    }
    expect(await count('grace')).toBe(0)
  })
}

describe('the memory store', () => {
  promises(memoryStore)

  test('counts anew in the next minute, and forgets who has gone', async () => {
    let now = 0
    const count = memoryStore({ now: () => now }).counter('calls', 1)
    expect(await count('ada')).toBe(0)
    expect(await count('ada')).toBe(60_000)
    now = 60_000
    expect(await count('ada')).toBe(0)
  })
})

describe.skipIf(!hasRedis)('the Redis store', () => {
  let redis: RedisServer
  const stores: ReturnType<typeof redisStore>[] = []

  const open = (): Store => {
    const connection = redis.connect()
    const store = redisStore(connection, { prefix: `test-${stores.length}` })
    connection.disconnect()
    stores.push(store)
    return store
  }

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await redis.close()
  })

  promises(open)

  test('keeps environments with different prefixes apart', async () => {
    const [one, two] = [open(), open()]
    await one.set('a', 'one', null)
    expect(await two.get('a')).toBeNull()
  })

  test('limits shoppers across instances, and goes on limiting when Redis is gone', async () => {
    const service = await startService()
    const other = await startRedis()
    const connection = other.connect()
    connection.on('error', () => {})
    const store = redisStore(connection)
    const open = (): ReturnType<typeof companionOf> =>
      companionOf(service.client(), { store, rateLimit: { perShopper: 4 } })
    const instances = [open(), open()]
    const statuses = async (): Promise<number[]> => {
      const responses = []
      for (let index = 0; index < 6; index++) {
        responses.push((await instances[index % 2]?.fetch(get('/subscriptions', 'ada')))?.status ?? 0)
      }
      return responses
    }
    expect(await statuses()).toEqual([200, 200, 200, 200, 429, 429])
    await other.kill()
    const alone = companionOf(service.client(), { store, rateLimit: { perShopper: 1 } })
    expect((await alone.fetch(get('/subscriptions', 'ada'))).status).toBe(200)
    expect((await alone.fetch(get('/subscriptions', 'ada'))).status).toBe(429)
    connection.disconnect()
    await store.close()
    await other.close()
    await service.close()
  })
})
