/** Which orders become jobs, of those that were found: in a shopper's list, or behind the hint of somebody who is not trusted. */
import type { Order, OrderRecord } from '../client/wire.ts'
import { createExpiringMap } from '../expiringMap.ts'
import { likelyPaidFirst, PAID } from '../purchase/readOrders.ts'
import type { Store } from '../stores/store.ts'
import { keyOf, seen } from './webhook.ts'

export interface FoundOrders {
  /**
   * Adds jobs of a shopper's list where the present state of an order has not been handled and is not being handled: paid ones to be
   * delivered, the others to be looked up.
   *
   * @param isNamed whether a webhook with the key has named the shopper: then orders of no purchase are delivered too.
   */
  addAll(orders: readonly OrderRecord[], isNamed: boolean): Promise<void>
  /** Adds a job that delivers an order which was looked up. */
  promote(order: Order, isListed: boolean): Promise<void>
  /** Notes that `onOrder` is called for this state of an order, or has been: polls and returns need not add it again meanwhile. */
  noteProgress(order: Order, isHandled: boolean): void
  /** Leaves a listed order of no purchase alone for a while. */
  skip(order: Order): void
}

interface FoundOrdersOptions {
  store: Pick<Store, 'jobs' | 'handled'>
}

/** Orders of one list that jobs are added for, and that are checked for it. */
const MOST_ADDED = 20
const MOST_CHECKED = 100
/** After so long a poll counts again. The job's own retries go on meanwhile. */
const REMEMBER_MS = 600_000
const MOST_REMEMBERED = 10_000

export function createFoundOrders({ store: { jobs, handled } }: FoundOrdersOptions): FoundOrders {
  /** The states of orders, by id. */
  const inProgress = createExpiringMap<string>({ max: MOST_REMEMBERED, ttlMs: REMEMBER_MS })
  const skipped = createExpiringMap<string>({ max: MOST_REMEMBERED, ttlMs: REMEMBER_MS })

  const isDone = async (id: string, type: string): Promise<boolean> =>
    inProgress.get(id) === type || (await handled.has(id, type))

  async function isOpen({ id, type }: OrderRecord, isNamed: boolean): Promise<boolean> {
    if (id === undefined || type === undefined) return id !== undefined
    return (isNamed || skipped.get(id) !== type) && !(await isDone(id, type))
  }

  return {
    async addAll(orders, isNamed) {
      let added = 0
      for (const order of likelyPaidFirst(orders).slice(0, MOST_CHECKED)) {
        if (added === MOST_ADDED) return
        const { id, type } = order
        if (id === undefined || !(await isOpen(order, isNamed))) continue
        await jobs.add(keyOf(seen(id, type, !isNamed)), type === PAID ? 'trusted' : 'unauthenticated')
        added++
      }
    },
    async promote({ id, type }, isListed) {
      if (!(await isDone(id, type))) await jobs.add(keyOf(seen(id, type, isListed)), 'trusted')
    },
    noteProgress({ id, type }, isHandled) {
      if (isHandled) inProgress.delete(id)
      else inProgress.set(id, type)
    },
    skip({ id, type }) {
      skipped.set(id, type)
    },
  }
}
