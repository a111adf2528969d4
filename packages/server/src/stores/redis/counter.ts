/** Limits through rate-limiter-flexible, whichever client the merchant has. */
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter } from '../store.ts'
import type { RedisConnection } from './connection.ts'

const MINUTE = 60_000

export function redisCounter(connection: RedisConnection, keyPrefix: string, perMinute: number): Counter {
  const limiter = new RateLimiterRedis({
    storeClient: {
      eval: (script: string, options: { keys: string[]; arguments: string[] }) =>
        connection.run('EVAL', script, options.keys.length, ...options.keys, ...options.arguments),
    },
    useRedisPackage: true,
    keyPrefix,
    points: perMinute,
    duration: MINUTE / 1000,
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

  async function countAnew(key: string): Promise<number> {
    await connection.run('DEL', limiter.getKey(key))
    return count(key)
  }

  return async (key) => {
    try {
      const waitMs = await count(key)
      // One that would end later than in a minute was opened before Redis's clock was set back.
      return waitMs > MINUTE ? await countAnew(key) : waitMs
    } catch (error) {
      if (!isForeign(error)) throw error
      return countAnew(key)
    }
  }
}

/** Something is at the key that no counter has written. */
const isForeign = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|not an integer/.test(error.message)
