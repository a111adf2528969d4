/** Checks of what was handled. */
import assert from 'node:assert/strict'
import { type IdempotencyRecord, KEEP_UNTRIED_MS } from '../store.ts'
import type { Checks } from './checks.ts'
import { purchaseOf, until } from './checks.ts'

const recordOf = (orderId: string, purchaseId: string | null = null): IdempotencyRecord => ({
  orderId,
  type: 'order_complete',
  purchaseId,
})

export const handledChecks: Checks = {
  async 'remembers each state of each order by itself'({ one, other }) {
    assert.equal(await one.handled.has('order-1', 'order_complete'), false)
    assert.equal(await one.handled.add(recordOf('order-1')), true)
    assert.equal(await other.handled.has('order-1', 'order_complete'), true)
    assert.equal(await other.handled.has('order-1', 'order_failed'), false)
    assert.equal(await other.handled.has('order-2', 'order_complete'), false)
  },
  async 'says to one caller only that it was the first'({ one, other }) {
    const adds = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).handled.add(recordOf('order-1')),
    )
    assert.equal((await Promise.all(adds)).filter(Boolean).length, 1)
  },
  async 'removes old idempotency records, so many at a time'({ one, other }) {
    for (let index = 0; index < 5; index++) await one.handled.add(recordOf(`order-${index}`))
    const has = (index: number): Promise<boolean> => other.handled.has(`order-${index}`, 'order_complete')
    assert.equal(await other.handled.sweep(Date.now() - 60_000, 10), 0)
    assert.equal(await has(0), true)
    const later = Date.now() + 60_000
    assert.equal(await other.handled.sweep(later, 3), 3)
    assert.equal(await one.handled.sweep(later, 3), 2)
    assert.equal(await one.handled.sweep(later, 3), 0)
    assert.equal(await has(4), false)
    assert.equal(await one.handled.add(recordOf('order-4')), true)
  },
  async 'keeps an idempotency record as long as its purchase'({ one, other }) {
    const kept = purchaseOf()
    const short = purchaseOf({ validUntil: Date.now() - KEEP_UNTRIED_MS + 1_000 })
    for (const purchase of [kept, short]) {
      await one.purchases.begin(purchase)
      await one.handled.add(recordOf(`order of ${purchase.id}`, purchase.id))
    }
    await until('the end of a purchase', async () => (await one.purchases.find(short.id)) === null)
    await one.purchases.sweep(10)
    assert.equal(await other.handled.sweep(Date.now() + 60_000, 10), 1)
    assert.equal(await other.handled.has(`order of ${kept.id}`, 'order_complete'), true)
    assert.equal(await other.handled.has(`order of ${short.id}`, 'order_complete'), false)
  },
}
