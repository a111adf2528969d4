/**
 * Lease, locks and limits in Redis or Valkey, through ioredis or node-redis. Locks and limits are well-kept libraries'
 * (docs/decisions/0010 and 0011).
 */
import { connect, type IoRedisClient, type NodeRedisClient } from './redis/connection.ts'
import { redisCounter } from './redis/counter.ts'
import { withRedisLock } from './redis/lock.ts'
import type { SharedState } from './store.ts'

export type { IoRedisClient, NodeRedisClient } from './redis/connection.ts'

export interface RedisStoreOptions {
  /** Before every key. Give each environment its own, as each has its own access token. Default `purchase-widget`. */
  prefix?: string
}

/** Shared state that must be closed before the process can end by itself. */
export interface RedisStore extends SharedState {
  close(): Promise<void>
}

/** A key of another type has no value of ours. The next `set` replaces it. */
const READ = `
  if redis.call('TYPE', KEYS[1]).ok ~= 'string' then return {} end
  return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`

/**
 * Shares the token, the locks and the limits among all instances that use the same Redis and prefix. Purchases, jobs and what
 * was handled stay in the store.
 *
 * A command that is not answered in a second rejects.
 *
 * @param redis a client of `ioredis` or of `redis` (node-redis 5 or later), whose settings are used for one connection more.
 */
export function redisStore(
  redis: IoRedisClient | NodeRedisClient,
  { prefix = 'purchase-widget' }: RedisStoreOptions = {},
): RedisStore {
  const connection = connect(redis)
  return {
    async get(key) {
      const found = await connection.run('EVAL', READ, 1, `${prefix}:${key}`)
      const [value, ttlMs] = Array.isArray(found) ? found : []
      if (typeof value !== 'string' || typeof ttlMs !== 'number') return null
      return { value, ttlMs: ttlMs < 0 ? null : ttlMs }
    },
    async set(key, value, ttlMs) {
      const life = ttlMs === null ? [] : ['PX', Math.max(1, Math.floor(ttlMs))]
      await connection.run('SET', `${prefix}:${key}`, value, ...life)
    },
    withLock: (key, task) => withRedisLock(connection, `${prefix}:${key}`, task),
    counter: (name, perMinute) => redisCounter(connection, `${prefix}:${name}`, perMinute),
    async close() {
      connection.close()
    },
  }
}
