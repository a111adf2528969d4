/** The Redis store shares state through ioredis and through node-redis, and heals what others wrote at its keys. */
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RedisStore, redisStore } from '../../src/stores/redis.ts'
import { sharedStateConformance } from '../../src/testing.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'

describe.skipIf(!hasRedis)('the Redis store', () => {
  let redis: RedisServer
  let prefixes = 0

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis.close()
  })

  const clients = {
    ioredis({ connect }: RedisServer, prefix: string): RedisStore {
      const client = connect()
      client.on('error', () => {})
      const store = redisStore(client, { prefix })
      client.disconnect()
      return store
    },
    'node-redis'({ socket }: RedisServer, prefix: string): RedisStore {
      return redisStore(createClient({ socket: { path: socket, tls: false } }), { prefix })
    },
  }

  for (const [client, open] of Object.entries(clients)) {
    const two = async () => {
      const prefix = `test-${++prefixes}`
      const [one, other] = [open(redis, prefix), open(redis, prefix)]
      return {
        prefix,
        one,
        other,
        async end() {
          await Promise.all([one.close(), other.close()])
        },
      }
    }

    sharedStateConformance({ describe, test }, client, two)

    describe(`${client}: what others wrote`, () => {
      test('a key of another type has no value, and takes one', async () => {
        const { prefix, one, end } = await two()
        await redis.command('SADD', `${prefix}:access-token`, 'member')
        expect(await one.get('access-token')).toBeNull()
        await one.set('access-token', 'value', 60_000)
        expect((await one.get('access-token'))?.value).toBe('value')
        await end()
      })

      test('a lock is had although a key of another type, or without an end, is in its place', async () => {
        const { prefix, one, end } = await two()
        await redis.command('SADD', `mutex:${prefix}:lock`, 'member')
        expect(await one.withLock('lock', async () => 'had')).toBe('had')
        await redis.command('SET', `mutex:${prefix}:lock`, 'somebody')
        expect(await one.withLock('lock', async () => 'had')).toBe('had')
        await end()
      })

      test('a counter begins anew', async () => {
        const { prefix, one, end } = await two()
        const count = one.counter('calls', 1)
        await redis.command('SADD', `${prefix}:calls:ada`, 'member')
        expect(await count('ada')).toBe(0)
        expect(await count('ada')).toBeGreaterThan(0)
        await redis.command('SET', `${prefix}:calls:grace`, 'no number')
        expect(await count('grace')).toBe(0)
        await end()
      })
    })

    test(`${client}: counts anew when the clock of Redis was set back by an hour`, async () => {
      const { prefix, one, end } = await two()
      const count = one.counter('calls', 1)
      await count('ada')
      expect(await count('ada')).toBeGreaterThan(0)
      await redis.command('PEXPIRE', `${prefix}:calls:ada`, '3660000')
      expect(await count('ada')).toBe(0)
      expect(await count('ada')).toBeLessThanOrEqual(60_000)
      await end()
    })

    test(`${client}: rejects in time when Redis does not answer, and works again afterwards`, async () => {
      const own = await startRedis()
      const store = open(own, 'test')
      await expect.poll(() => isSet(store, 'value'), { timeout: 10_000 }).toBe(true)
      own.pause()
      await expect(store.get('a')).rejects.toThrow()
      await expect(store.withLock('lock', async () => {})).rejects.toThrow()
      await expect(store.counter('calls', 1)('ada')).rejects.toThrow()
      own.resume()
      await expect.poll(() => store.get('a').catch(() => null)).toMatchObject({ value: 'value' })
      await own.kill()
      await expect(store.get('a')).rejects.toThrow()
      await own.start()
      await expect.poll(() => isSet(store, 'again'), { timeout: 10_000 }).toBe(true)
      await store.close()
      await own.close()
    })

    test(`${client}: keeps environments with different prefixes apart`, async () => {
      const [one, two] = [open(redis, 'one'), open(redis, 'two')]
      await one.set('a', 'one', null)
      expect(await two.get('a')).toBeNull()
      await Promise.all([one.close(), two.close()])
    })

    test(`${client}: opens no connection before it is used`, async () => {
      const before = await redis.command('CLIENT', 'LIST')
      const store = open(redis, 'test')
      await store.close()
      expect(String(await redis.command('CLIENT', 'LIST')).split('\n')).toHaveLength(
        String(before).split('\n').length,
      )
    })
  }
})

const isSet = (store: RedisStore, value: string): Promise<boolean> =>
  store.set('a', value, null).then(
    () => true,
    () => false,
  )
