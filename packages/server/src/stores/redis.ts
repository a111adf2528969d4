/**
 * A store in Redis or Valkey, through ioredis. Lock and rate limits are well-kept libraries' (docs/decisions/0010 and 0011);
 * values and queues are plain commands.
 */
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { Mutex } from 'redis-semaphore'
import type { Counter, SharedState } from './store.ts'

export interface RedisStoreOptions {
  /** Before every key. Give each environment its own, as each has its own access token. Default `purchase-widget`. */
  prefix?: string
}

/** A store that must be closed before the process can end by itself. */
export interface RedisStore extends SharedState {
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
