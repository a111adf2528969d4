/** Limits through rate-limiter-flexible, whichever client the merchant has. */
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter } from '../store.ts'
import type { RedisConnection } from './connection.ts'

export function redisCounter(connection: RedisConnection, keyPrefix: string, perMinute: number): Counter {
  const limiter = new RateLimiterRedis({
    storeClient: {
      eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
        connection.run('EVAL', script, options.keys.length, ...options.keys, ...options.arguments),
    },
    useRedisPackage: true,
    keyPrefix,
    points: perMinute,
    duration: 60,
  })

  async function count(key: string): Promise<number> {
    try {
      await limiter.consume(key)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
      throw refused
    }
  }

  return async (key) => {
    try {
      return await count(key)
    } catch (error) {
      if (!isForeign(error)) throw error
      await connection.run('DEL', limiter.getKey(key))
      return count(key)
    }
  }
}

/** Something is at the key that no counter has written. */
const isForeign = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|not an integer/.test(error.message)
