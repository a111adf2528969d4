/** Checks of how many purchase records and orders a shopper may have. */
import assert from 'node:assert/strict'
import type { OpenedBy, Purchase } from '../src/purchase/purchase.ts'
import {
  KEEP_PRELOADED_MS,
  ORDERS_PER_PURCHASE,
  PRELOADED_PER_SHOPPER,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
} from '../src/stores/store.ts'
import { areKept, begin, type Checks, orderOf } from './checks.ts'

export const purchaseBounds: Checks = {
  async 'keeps a limited number of unsettled purchases per shopper, and evicts the oldest'({ one, other }) {
    const settled = await begin(one, { begunAt: 1, validUntil: Date.now() })
    await one.purchases.claim(settled.id, 'order-1')
    const another = await begin(one, { begunAt: 2, validUntil: Date.now(), shopper: { userId: 'grace' } })
    const created: Purchase[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER + 2; index++) {
      created.push(await begin(index % 2 ? one : other, { begunAt: 1_000 + index, validUntil: Date.now() }))
    }
    assert.deepEqual(
      await areKept(one, created),
      created.map((_, index) => index >= 2),
    )
    assert.deepEqual(await areKept(one, [settled, another]), [true, true])
  },
  async 'keeps what the shopper opened or tried to pay, however many links other sites open'({ one, other }) {
    const opened = async (openedBy: OpenedBy, begunAt: number): Promise<Purchase> =>
      begin(begunAt % 2 ? one : other, { surface: 'launch', openedBy, begunAt, validUntil: Date.now() })
    const page = { begunAt: 1, validUntil: Date.now() }
    const ofPages = [await begin(one, page), await begin(one, { ...page, surface: 'launch' })]
    const own: Purchase[] = []
    for (let at = 0; at < PURCHASES_PER_SHOPPER - 1; at++) own.push(await opened('link', 10 + at))
    const tried = await opened('other_site', 2)
    await one.purchases.record(tried.id, orderOf())
    const foreign: Purchase[] = []
    for (let at = 0; at < 500; at++) foreign.push(await opened('other_site', 1_000 + at))
    assert.ok((await areKept(other, [...ofPages, ...own, tried])).every(Boolean))
    assert.deepEqual(
      await areKept(other, foreign),
      foreign.map((_, at) => at >= 500 - PURCHASES_BY_OTHER_SITES),
    )
    // With an order it counts as the shopper's own, and is kept longer than purchases without one.
    await opened('link', 5_000)
    assert.deepEqual(await areKept(other, [...ofPages, tried, ...own.slice(0, 2)]), [
      true,
      true,
      true,
      false,
      true,
    ])
  },
  async 'evicts nothing when the id of a purchase is used again'({ one, other }) {
    const { id } = await begin(one)
    const links = { surface: 'launch', openedBy: 'link' } as const
    const opened: Purchase[] = []
    for (let at = 0; at < PURCHASES_PER_SHOPPER; at++)
      opened.push(await begin(one, { ...links, begunAt: 1_000 + at, validUntil: Date.now() }))
    await begin(other, { ...links, id })
    assert.ok((await areKept(one, opened)).every(Boolean))
  },
  async 'keeps a purchase with an order longer than one without'({ one, other }) {
    const at = (begunAt: number): Promise<Purchase> => begin(one, { begunAt, validUntil: Date.now() })
    const [tried, oldest] = [await at(1), await at(2)]
    await one.purchases.record(tried.id, orderOf())
    const rest: Purchase[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER - 1; index++) rest.push(await at(1_000 + index))
    assert.deepEqual(await areKept(other, [oldest, tried]), [false, true])
    for (const { id } of rest) await one.purchases.record(id, orderOf({ id: `order of ${id}` }))
    // The newest record is not evicted, even if all others have orders.
    const latest = await at(3)
    assert.deepEqual(await areKept(other, [tried, latest]), [false, true])
  },
  async 'keeps a limited number of preloaded purchases per shopper, also of one product, which evict no other purchase'({
    one,
    other,
  }) {
    const opened: Purchase[] = []
    for (let at = 0; at < PURCHASES_PER_SHOPPER; at++) {
      opened.push(await begin(one, { begunAt: 1_000 + at, validUntil: Date.now() }))
    }
    const now = Date.now()
    const preloaded: Purchase[] = []
    for (let at = 0; at < PRELOADED_PER_SHOPPER + 2; at++) {
      const params = { product_id: at % 3 ? 'gold' : 'silver' }
      preloaded.push(await begin(at % 2 ? one : other, { preload: true, params, begunAt: now - 1_000 + at }))
    }
    assert.deepEqual(
      await areKept(other, preloaded),
      preloaded.map((_, at) => at >= 2),
    )
    assert.ok((await areKept(other, opened)).every(Boolean))
    const latest = preloaded.at(-1)
    const until = (await other.purchases.find(latest?.id ?? ''))?.preloadedUntil
    assert.equal(until, Number(latest?.begunAt) + KEEP_PRELOADED_MS)
    const span = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000 }
    const unsettled = await other.purchases.unsettled(span)
    assert.ok(!unsettled.some(({ purchase }) => purchase.preload))
    // Once opened it counts like any other, and the oldest of those is evicted.
    if (latest) await one.purchases.open(latest)
    assert.deepEqual(await areKept(other, opened.slice(0, 2)), [false, true])
  },
  async 'keeps a preloaded purchase like any other once it is opened or has an order'({ one, other }) {
    const old = { preload: true, begunAt: Date.now() - KEEP_PRELOADED_MS + 2_000 }
    const [opened, tried] = [
      await begin(one, { ...old, params: { product_id: 'gold' } }),
      await begin(one, { ...old, params: { product_id: 'silver' } }),
    ]
    await one.purchases.open(opened)
    await one.purchases.record(tried.id, orderOf())
    await begin(one, { preload: true, params: { product_id: 'gold' } })
    await begin(one, { preload: true, params: { product_id: 'silver' } })
    for (const { id } of [opened, tried]) {
      assert.equal((await other.purchases.find(id))?.preloadedUntil, null)
    }
    const expired = await begin(one, { preload: true, begunAt: Date.now() - KEEP_PRELOADED_MS - 1 })
    assert.equal(await other.purchases.find(expired.id), null)
  },
  async 'keeps the limit when many purchases are created at once'({ one, other }) {
    const created: Purchase[] = []
    // No more than two pools have connections: more would only wait for one, on a busy machine longer than a call may take.
    while (created.length < 2 * PURCHASES_PER_SHOPPER) {
      const some = Array.from({ length: 10 }, (_, index) => begin(index % 2 ? one : other))
      created.push(...(await Promise.all(some)))
    }
    const kept = await areKept(one, created)
    assert.equal(kept.filter(Boolean).length, PURCHASES_PER_SHOPPER)
  },
  async 'keeps a limited number of orders per purchase, and always the one that settled it'({ one, other }) {
    const { id } = await begin(one)
    await one.purchases.claim(id, 'order-0')
    const ids = Array.from({ length: ORDERS_PER_PURCHASE + 3 }, (_, index) => `order-${index}`)
    for (const order of ids) await one.purchases.record(id, orderOf({ id: order }))
    const orders = (await other.purchases.find(id))?.orders ?? []
    assert.deepEqual(
      orders.map((order) => order.id),
      ['order-0', ...ids.slice(4)],
    )
  },
}
