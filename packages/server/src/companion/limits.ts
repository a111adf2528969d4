/** How often a shopper and an address may call. */

import { within } from '../deadline.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { Refusal } from './answer.ts'

/** Calls per minute to one route, counted in the store. */
export interface RateLimit {
  /** Of one shopper. Default 60. */
  perShopper?: number
  /**
   * Of one network address, which many shoppers may share; IPv6 counts by its first 64 bits. What is refused has an allowance of the
   * same size of its own. Default 600.
   */
  perAddress?: number
}

/** How long the store may take to count a call, and how long it then counts as gone. In milliseconds. */
const ANSWER_MS = 500
const GONE_MS = 5_000

/** Counts one call; a 429 `Refusal` when there were too many. Every request passes here: a promise only where the store gives one. */
export type Limiter = (key: string) => void | Promise<void>

export function createLimiter(
  store: SharedState,
  name: string,
  perMinute: number,
  now: () => number,
): Limiter {
  const count = store.counter(name, perMinute)
  // While the store is gone each instance counts for itself.
  const own = memoryStore({ now }).counter(name, perMinute)
  let goneUntil = 0

  /** A shopper must not wait for a store that does not answer, nor every shopper after them. */
  function countAlone(key: string): number | Promise<number> {
    goneUntil = performance.now() + GONE_MS
    return own(key)
  }

  function check(waitMs: number): void {
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1000)
    throw new Refusal('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    })
  }

  return (key) => {
    const waitMs = performance.now() < goneUntil ? own(key) : count(key)
    if (typeof waitMs === 'number') return check(waitMs)
    return within(ANSWER_MS, waitMs)
      .catch(() => countAlone(key))
      .then(check)
  }
}

/** IPv6 by its first 64 bits; IPv4, also written as IPv6, whole; anything else as it is. */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped) return mapped
  if (!plain.includes(':')) return plain.slice(0, 64)
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').slice(0, 4))
    .join(':')}::/64`
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
