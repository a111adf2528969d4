/** Checks of what was handled. */
import assert from 'node:assert/strict'
import type { Checks } from './checks.ts'

export const handledChecks: Checks = {
  async 'remembers each state of each order by itself'({ one, other }) {
    assert.equal(await one.handled.has('order-1', 'order_complete'), false)
    assert.equal(await one.handled.add('order-1', 'order_complete'), true)
    assert.equal(await other.handled.has('order-1', 'order_complete'), true)
    assert.equal(await other.handled.has('order-1', 'order_failed'), false)
    assert.equal(await other.handled.has('order-2', 'order_complete'), false)
  },
  async 'says to one caller only that it was the first'({ one, other }) {
    const adds = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).handled.add('order-1', 'order_complete'),
    )
    assert.equal((await Promise.all(adds)).filter(Boolean).length, 1)
  },
}
