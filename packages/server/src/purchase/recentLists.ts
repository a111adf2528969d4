/**
 * Lists that the service gave just now, by the id that they were asked for: a shopper who has paid in several tabs waits for one list, not for
 * one after the other.
 */
import type { Order } from '../client/wire.ts'

export interface RecentLists {
  keep(id: string, orders: readonly Order[]): void
  /** Undefined when there is none so recent. */
  find(id: string): readonly Order[] | undefined
}

export function createRecentLists({ keepMs, now }: { keepMs: number; now: () => number }): RecentLists {
  /** In the order in which they were read. */
  const lists = new Map<string, { orders: readonly Order[]; readAt: number }>()

  /** A clock that was set back must not keep anything. */
  function forget(): void {
    const at = now()
    for (const [id, { readAt }] of lists) {
      if (at >= readAt && at - readAt < keepMs) return
      lists.delete(id)
    }
  }

  return {
    keep(id, orders) {
      lists.delete(id)
      lists.set(id, { orders, readAt: now() })
      forget()
    },
    find(id) {
      forget()
      return lists.get(id)?.orders
    },
  }
}
