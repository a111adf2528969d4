/**
 * A store in Redis or Valkey, through ioredis. Lock and rate limits are well-kept libraries' (docs/decisions/0010 and 0011);
 * values and queues are plain commands.
 */
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { Mutex } from 'redis-semaphore'
import type { Claim, Counter, Queue, Store } from './store.ts'

export interface RedisStoreOptions {
  /** Before every key. Give each environment its own, as each has its own access token. Default `purchase-widget`. */
  prefix?: string
}

/** A store that must be closed before the process can end by itself. */
export interface RedisStore extends Store {
  close(): Promise<void>
}

/** A command that takes longer counts as failed, and the store as gone for the one who asked. */
const COMMAND_MS = 1_000
/** How long a lock outlives a holder that was killed. A living holder renews it. */
const LOCK_MS = 5_000
/** How long to wait for a holder that lives: longer than a call to the service may take. */
const LOCK_WAIT_MS = 30_000

/**
 * Shares the token, the limits and the doorbell's queue among all instances that use the same Redis and prefix.
 *
 * @param redis whose settings are used for one connection more, on which each command has a time limit.
 */
export function redisStore(redis: Redis, { prefix = 'purchase-widget' }: RedisStoreOptions = {}): RedisStore {
  const connection = redis.duplicate({ commandTimeout: COMMAND_MS })
  // A lost connection shows in each command, and ioredis connects again by itself.
  connection.on('error', () => {})

  return {
    async get(key) {
      const replies = await connection.multi().get(`${prefix}:${key}`).pttl(`${prefix}:${key}`).exec()
      const [value, ttlMs] = (replies ?? []).map(([error, reply]) => {
        if (error) throw error
        return reply
      })
      if (typeof value !== 'string' || typeof ttlMs !== 'number') return null
      return { value, ttlMs: ttlMs < 0 ? null : ttlMs }
    },
    async set(key, value, ttlMs) {
      if (ttlMs === null) await connection.set(`${prefix}:${key}`, value)
      else await connection.set(`${prefix}:${key}`, value, 'PX', Math.max(1, Math.floor(ttlMs)))
    },
    async withLock(key, task) {
      const mutex = new RenewedMutex(connection, `${prefix}:${key}`, {
        lockTimeout: LOCK_MS,
        acquireTimeout: LOCK_WAIT_MS,
        retryInterval: 50,
        onLockLost: () => {},
      })
      await mutex.acquire()
      try {
        return await task()
      } finally {
        // What cannot be released ends by itself.
        await mutex.release().catch(() => {})
      }
    },
    queue: (name) => redisQueue(connection, `${prefix}:${name}`),
    counter: (name, perMinute) => redisCounter(connection, `${prefix}:${name}`, perMinute),
    async close() {
      connection.disconnect()
    },
  }
}

/** The library renews from a timer that nobody catches: a Redis that is gone then must mean a lost lock, not a crash. */
class RenewedMutex extends Mutex {
  protected override async _refresh(): Promise<boolean> {
    return super._refresh().catch(() => false)
  }
}

function redisCounter(connection: Redis, keyPrefix: string, perMinute: number): Counter {
  const limiter = new RateLimiterRedis({
    storeClient: connection,
    keyPrefix,
    points: perMinute,
    duration: 60,
  })
  return async (key) => {
    try {
      await limiter.consume(key)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
      throw refused
    }
  }
}

/** A sorted set: each item's score is the moment when it is due, by the clock of Redis, and doubles as the receipt. */
function redisQueue(connection: Redis, key: string): Queue {
  const time = `local t = redis.call('TIME') local now = t[1] * 1000000 + t[2] `
  const unchanged = `if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then return end `

  return {
    async add(item) {
      await connection.eval(`${time} redis.call('ZADD', KEYS[1], now, ARGV[1])`, 1, key, item)
    },
    async claim(limit, holdMs) {
      const script = `${time}
        local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
        local claims = {}
        for _, item in ipairs(due) do
          redis.call('ZADD', KEYS[1], now + ARGV[2] * 1000, item)
          table.insert(claims, { item, redis.call('ZSCORE', KEYS[1], item) })
        end
        return claims`
      const claims = (await connection.eval(script, 1, key, limit, holdMs)) as [string, string][]
      return claims.map(([item, receipt]): Claim => ({ item, receipt }))
    },
    async settle({ item, receipt }) {
      await connection.eval(`${unchanged} redis.call('ZREM', KEYS[1], ARGV[1])`, 1, key, item, receipt)
    },
    async postpone({ item, receipt }, delayMs) {
      const script = `${unchanged} ${time} redis.call('ZADD', KEYS[1], now + ARGV[3] * 1000, ARGV[1])`
      await connection.eval(script, 1, key, item, receipt, delayMs)
    },
  }
}
