/** How often a shopper and an address may call. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from './answer.ts'

/** Calls per minute and route: of one shopper, and of one network address (which many shoppers may share). */
export interface RateLimit {
  /** Default 60. */
  perShopper?: number
  /** Default 600. */
  perAddress?: number
}

/** Counts one call; throws a 429 `Refusal` when there were too many. */
export type Limiter = (key: string) => Promise<void>

export function createLimiter(perMinute: number): Limiter {
  const counter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (key) => {
    try {
      await counter.consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      throw new Refusal('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
        'retry-after': String(seconds),
      })
    }
  }
}
