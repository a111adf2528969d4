/** Makes a counter of the rate limiter library's limiter, whichever store it counts in. */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counter } from './store.ts'

export function toCounter(limiter: Pick<RateLimiterAbstract, 'consume'>): Counter {
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
