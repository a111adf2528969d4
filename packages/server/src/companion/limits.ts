/** Rate limits of one instance, per shopper and per address. */
import { isIPv6 } from 'node:net'
import { expandIPv6 } from 'hono/utils/ipaddr'
import { createExpiringMap } from '../deadline.ts'
import { Refusal } from './answer.ts'

/** Calls per minute to one route, counted by each instance separately. */
export interface RateLimit {
  /** For one shopper. Default 60. */
  perShopper?: number
  /**
   * For one network address, which many shoppers may share; IPv6 counts by its first 64 bits. Refused calls have a separate allowance of
   * the same size. Default 600.
   */
  perAddress?: number
}

/** Counts one call; throws a 429 `Refusal` when there were too many. */
export type Limiter = (key: string) => void

const MINUTE = 60_000
/** Anyone can call under new keys. */
const KEYS = 10_000

export function createLimiter(perMinute: number): Limiter {
  const windows = createExpiringMap<{ calls: number; endsAt: number }>({ max: KEYS, ttlMs: MINUTE })
  return (key) => {
    const window = windows.get(key) ?? { calls: 0, endsAt: performance.now() + MINUTE }
    if (window.calls === 0) windows.set(key, window)
    window.calls++
    if (window.calls <= perMinute) return
    throw tooMany('Too many requests', Math.ceil((window.endsAt - performance.now()) / 1000))
  }
}

export const tooMany = (what: string, seconds: number): Refusal =>
  new Refusal('too_many_requests', `${what}. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

/** Runs a task of one key; throws a 429 `Refusal` instead when too many of the same key are running. */
export function createPendingLimiter(most: number): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const pending = new Map<string, number>()
  return async (key, task) => {
    const before = pending.get(key) ?? 0
    if (before >= most) throw tooMany('Too many requests at once', 1)
    pending.set(key, before + 1)
    try {
      return await task()
    } finally {
      const rest = (pending.get(key) ?? 1) - 1
      if (rest > 0) pending.set(key, rest)
      else pending.delete(key)
    }
  }
}

/** IPv6 by its first 64 bits; IPv4, also when written as IPv6, in full; anything else unchanged. */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped) return mapped
  if (!isIPv6(plain)) return plain.slice(0, 64)
  const groups = expandIPv6(plain).split(':')
  return `${groups.slice(0, 4).join(':')}::/64`
}
