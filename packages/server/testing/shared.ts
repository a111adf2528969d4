/** Checks of values, locks and idempotency records. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { type IdempotencyRecord, KEEP_UNTRIED_MS } from '../src/stores/store.ts'
import { type Checks, purchaseOf, until } from './checks.ts'

export const sharedChecks: Checks = {
  async 'keeps a value and its remaining lifetime until both are replaced'({ one, other }) {
    await one.set('a', 'value', 60_000)
    await one.set('b', 'for ever', null)
    const found = await other.get('a')
    assert.equal(found?.value, 'value')
    assert.ok(found?.ttlMs && found.ttlMs > 0 && found.ttlMs <= 60_000)
    assert.deepEqual(await other.get('b'), { value: 'for ever', ttlMs: null })
    assert.equal(await other.get('c'), null)
    await other.set('a', 'second', null)
    assert.deepEqual(await one.get('a'), { value: 'second', ttlMs: null })
  },
  async 'forgets an expired value'({ one }) {
    const lifeMs = 1_000
    const setAt = Date.now()
    await one.set('short', 'value', lifeMs)
    await until('the end of a value', async () => {
      const found = await one.get('short')
      // A slow store may not answer until the value has expired.
      assert.ok(found?.value === 'value' || Date.now() - setAt >= lifeMs, 'the value is kept')
      return found === null
    })
  },
  async 'admits one holder of a lock at a time, across instances too'({ one, other }) {
    let inside = 0
    let most = 0
    let runs = 0
    const enter = async (): Promise<void> => {
      most = Math.max(most, ++inside)
      await setTimeout(5)
      inside--
      runs++
    }
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).withLock('lock', enter)),
    )
    assert.equal(most, 1)
    assert.equal(runs, 10)
  },
  async 'tries a lock without waiting for its holder, and frees the lock of a task that failed'({
    one,
    other,
  }) {
    for (const lock of ['withLock', 'tryLock'] as const) {
      assert.equal(await one[lock]('lock', () => other.tryLock('lock', async () => 'both')), null)
      const failed = one[lock]('lock', () => Promise.reject(new Error('failed inside')))
      await assert.rejects(failed, /failed inside/)
      assert.equal(await other[lock]('lock', async () => 'mine'), 'mine')
    }
  },
  async 'keeps locks of different keys apart'({ one, other }) {
    const both = one.withLock('a', () => other.withLock('b', async () => 'both'))
    assert.equal(await both, 'both')
  },
}

const recordOf = (orderId: string, purchaseId: string | null = null): IdempotencyRecord => ({
  orderId,
  type: 'order_complete',
  purchaseId,
})

/** In milliseconds: also what was added by a clock that is a minute ahead. */
const OF_ANY_AGE = -60_000

export const handledChecks: Checks = {
  async 'remembers each state of each order separately'({ one, other }) {
    assert.equal(await one.handled.has('order-1', 'order_complete'), false)
    assert.equal(await one.handled.add(recordOf('order-1')), true)
    assert.equal(await other.handled.has('order-1', 'order_complete'), true)
    assert.equal(await other.handled.has('order-1', 'order_failed'), false)
    assert.equal(await other.handled.has('order-2', 'order_complete'), false)
  },
  async 'tells exactly one caller that it was the first'({ one, other }) {
    const adds = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).handled.add(recordOf('order-1')),
    )
    assert.equal((await Promise.all(adds)).filter(Boolean).length, 1)
  },
  async 'removes old idempotency records, a limited number at a time'({ one, other }) {
    for (let index = 0; index < 5; index++) await one.handled.add(recordOf(`order-${index}`))
    const has = (index: number): Promise<boolean> => other.handled.has(`order-${index}`, 'order_complete')
    assert.equal(await other.sweep(10, 60_000), 0)
    assert.equal(await has(0), true)
    assert.equal(await other.sweep(3, OF_ANY_AGE), 3)
    assert.equal(await one.sweep(3, OF_ANY_AGE), 2)
    assert.equal(await one.sweep(3, OF_ANY_AGE), 0)
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
    assert.equal(await one.sweep(1, OF_ANY_AGE), 1)
    assert.equal(await other.handled.has(`order of ${short.id}`, 'order_complete'), true)
    assert.equal(await other.sweep(10, OF_ANY_AGE), 1)
    assert.equal(await other.handled.has(`order of ${kept.id}`, 'order_complete'), true)
    assert.equal(await other.handled.has(`order of ${short.id}`, 'order_complete'), false)
  },
}
