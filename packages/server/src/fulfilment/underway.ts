/** States of orders that this process is about, or has just failed at: polls and returns need not hint at them again. */
import type { Order } from '../client/wire.ts'

export interface Underway {
  has(orderId: string, type: string): boolean
  note(order: Order, isHandled: boolean): void
}

/** After so long a poll counts again. The job's own retries go on meanwhile. */
const FORGET_MS = 600_000
const MOST = 10_000

export function createUnderway(now: () => number): Underway {
  const orders = new Map<string, { type: string; until: number }>()
  return {
    has(orderId, type) {
      const known = orders.get(orderId)
      return known !== undefined && known.type === type && now() < known.until
    },
    note({ id, type }, isHandled) {
      orders.delete(id)
      if (isHandled) return
      orders.set(id, { type, until: now() + FORGET_MS })
      const [oldest] = orders.keys()
      if (orders.size > MOST && oldest !== undefined) orders.delete(oldest)
    },
  }
}
