/**
 * A webhook is a doorbell (U13): it says that something may have happened to an order, and the service is asked what. So is
 * a return, or a poll. Whoever rings, `onOrder` is called once for each state of an order, as long as the store remembers.
 *
 * 1. A ring is written to the shared queue, then acknowledged.
 * 2. An instance takes it, reads the order from the service and, under a lock, calls `onOrder` unless this (order, type) is
 *    marked as done; then it marks it and settles the ring.
 * 3. A ring whose instance was killed, or whose `onOrder` threw, comes back.
 *
 * A process that is killed after `onOrder` and before the mark leads to a second call: make `onOrder` idempotent with a
 * unique key over order id and type.
 */
// Node's own, which can be told not to keep a process alive, in every runtime that has them.
import { setInterval, setTimeout } from 'node:timers'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { isApiError } from '../errors.ts'
import { meansUnknown } from '../client/meansUnknown.ts'
import type { Claim, Store } from '../stores/store.ts'
import type { OrderHint } from './hint.ts'
import type { Order, OrderRecord } from '../client/wire.ts'

export type OnOrder = (order: Order) => void | Promise<void>

export interface Doorbell {
  /** Resolves when the ring is recorded. Rejects when the store is gone: then nothing was promised. */
  ring(hint: OrderHint): Promise<void>
  /** Rings for each order whose present state has not been handled yet. Never rejects. */
  notice(orders: readonly OrderRecord[]): Promise<void>
  /** Resolves when nothing that is due is left to do here. */
  settled(): Promise<void>
  /** Stops looking for rings that other instances left behind. */
  close(): void
}

export interface DoorbellOptions {
  client: Pick<PurchaseClient, 'transactions'>
  store: Store
  onOrder: OnOrder
  onError: (error: unknown) => void
}

const AT_ONCE = 8
/** After how long the rings of a killed instance come back. */
const HOLD_MS = 10_000
const LOOK_EVERY_MS = 5_000
const LONGEST_WAIT_MS = 600_000
const REMEMBER_MS = 90 * 86_400_000

export function createDoorbell({ client, store, onOrder, onError }: DoorbellOptions): Doorbell {
  const queue = store.queue('rings')
  const failures = new Map<string, number>()
  let working: Promise<void> | null = null
  let again = false

  const timer = setInterval(wake, LOOK_EVERY_MS)
  timer.unref()
  wake()

  function wake(): void {
    again = true
    working ??= work().finally(() => {
      working = null
      if (again) wake()
    })
  }

  async function work(): Promise<void> {
    while (again) {
      again = false
      const claims = await queue.claim(AT_ONCE, HOLD_MS).catch((): Claim[] => [])
      if (claims.length === 0) continue
      await Promise.all(claims.map(answer))
      again = true
    }
  }

  async function answer(claim: Claim): Promise<void> {
    try {
      const order = await read(claim.item)
      if (order) await handle(order)
      await queue.settle(claim)
      failures.delete(claim.item)
    } catch (error) {
      onError(error)
      const count = (failures.get(claim.item) ?? 0) + 1
      failures.set(claim.item, count)
      const waitMs = Math.min(500 * 2 ** count, LONGEST_WAIT_MS)
      await queue.postpone(claim, waitMs).catch(() => {})
      setTimeout(wake, waitMs + 1).unref()
    }
  }

  /** What the service says about a ring; null when it knows no such order, which is what a forged ring comes to. */
  async function read(item: string): Promise<Order | null> {
    const hint = JSON.parse(item) as OrderHint
    try {
      const order = await client.transactions.retrieve(hint)
      return 'order_id' in hint && order.id !== hint.order_id ? null : order
    } catch (error) {
      if (isApiError(error) && meansUnknown(error)) return null
      throw error
    }
  }

  async function handle(order: Order): Promise<void> {
    const mark = markOf(order)
    await store.withLock(mark, async () => {
      if (await store.get(mark)) return
      await onOrder(order)
      await store.set(mark, 'done', REMEMBER_MS)
    })
  }

  async function ring(hint: OrderHint): Promise<void> {
    await queue.add(JSON.stringify(hint))
    wake()
  }

  async function notice(orders: readonly OrderRecord[]): Promise<void> {
    const ringFor = async (order: OrderRecord): Promise<void> => {
      if (order.id === undefined || (await store.get(markOf(order)))) return
      await ring({ order_id: order.id })
    }
    await Promise.all(orders.map(ringFor)).catch(onError)
  }

  return {
    ring,
    notice,
    settled: async () => {
      while (working) await working
    },
    close: () => clearInterval(timer),
  }
}

const markOf = ({ id, type }: OrderRecord): string => `handled:${JSON.stringify([id, type])}`
