/** Checks of purchase records. */
import assert from 'node:assert/strict'
import type { Purchase, PurchaseRecord } from '../src/purchase/purchase.ts'
import {
  KEEP_HANDLED_MS,
  KEEP_PRELOADED_MS,
  KEEP_UNTRIED_MS,
  PURCHASES_PER_SHOPPER,
  SETTLED_FOR_SHOPPER,
} from '../src/stores/store.ts'
import { areKept, begin, type Checks, orderOf, until } from './checks.ts'
import { purchaseBounds } from './purchaseBounds.ts'

const DAY = 86_400_000

const idsOf = (found: readonly PurchaseRecord[]): string[] => found.map(({ purchase }) => purchase.id)

const lookingUp: Checks = {
  async 'finds a purchase as it was created'({ one, other }) {
    const purchase = await begin(one, { shopper: { customId: 'ada', userId: 'u-1' }, formerly: ['guest-1'] })
    assert.deepEqual(await other.purchases.find(purchase.id), {
      purchase,
      claimedBy: null,
      productId: null,
      payer: null,
      checkAt: null,
      preloadedUntil: null,
      orders: [],
    })
    assert.equal(await other.purchases.find('unknown'), null)
  },
  async 'leaves a purchase unchanged when its id is used again'({ one, other }) {
    const purchase = await begin(one)
    await begin(other, { id: purchase.id, shopper: { customId: 'mallory' } })
    assert.deepEqual((await one.purchases.find(purchase.id))?.purchase, purchase)
  },
  async 'begins a purchase anew under the id of one that has expired'({ one, other }) {
    const { id } = await begin(one, { preload: true, begunAt: Date.now() - KEEP_PRELOADED_MS })
    assert.equal(await other.purchases.find(id), null)
    const anew = await begin(other, { id, shopper: { customId: 'grace' } })
    assert.deepEqual((await one.purchases.find(id))?.purchase, anew)
    assert.deepEqual(idsOf(await one.purchases.ofShopper('grace')), [id])
  },
  async 'forgets and sweeps an expired purchase, but keeps it longer if it was settled or has an order'({
    one,
    other,
  }) {
    const valid = await begin(one)
    await one.sweep(100, KEEP_HANDLED_MS)
    const validUntil = Date.now() + 5_000 - KEEP_UNTRIED_MS
    const [settled, tried, untried] = [
      await begin(one, { validUntil }),
      await begin(one, { validUntil }),
      await begin(one, { validUntil }),
    ]
    assert.equal(await one.purchases.claim(settled.id, 'order-1'), 'order-1')
    assert.equal(await one.purchases.renew(settled.id, 'order-2', 1), true)
    await one.purchases.record(tried.id, orderOf())
    assert.equal(await one.purchases.renew(untried.id, 'order-2', 1), false)
    assert.ok(await one.purchases.find(untried.id))
    await until('the end of a purchase', async () => (await one.purchases.find(untried.id)) === null)
    assert.equal(await other.purchases.claim(untried.id, 'order-1'), null)
    assert.equal((await other.purchases.find(settled.id))?.claimedBy, 'order-1')
    assert.equal(await other.sweep(100, KEEP_HANDLED_MS), 1)
    assert.equal(await other.sweep(100, KEEP_HANDLED_MS), 0)
    assert.deepEqual(await areKept(other, [valid, settled, tried]), [true, true, true])
  },
}

const orders: Checks = {
  async 'lets one of two orders settle a purchase, a hundred times'({ one, other }) {
    for (let round = 0; round < 100; round++) {
      const { id } = await begin(one, { shopper: { customId: `shopper-${round}` } })
      const holders = await Promise.all([
        one.purchases.claim(id, 'order-1'),
        other.purchases.claim(id, 'order-2'),
      ])
      assert.ok(holders[0] === 'order-1' || holders[0] === 'order-2')
      assert.equal(holders[0], holders[1])
      assert.equal(await one.purchases.claim(id, 'order-3'), holders[0])
      assert.equal((await other.purchases.find(id))?.claimedBy, holders[0])
    }
    assert.equal(await one.purchases.claim('unknown', 'order-1'), null)
  },
  async 'assigns each charge of a subscription to one of two orders, a hundred times'({ one, other }) {
    const { id } = await begin(one)
    await one.purchases.claim(id, 'order-0')
    for (let charges = 1; charges <= 100; charges++) {
      const has = await Promise.all([
        one.purchases.renew(id, `one-${charges}`, charges),
        other.purchases.renew(id, `other-${charges}`, charges),
      ])
      assert.deepEqual(has.toSorted(), [false, true])
      assert.equal(await one.purchases.renew(id, has[0] ? `one-${charges}` : `other-${charges}`, 0), true)
      assert.equal(await other.purchases.renew(id, 'one-more', charges), false)
    }
    assert.equal(await one.purchases.renew('unknown', 'order-1', 1), false)
  },
  async 'keeps the latest state of each order, in the order of arrival, and none after complete'({
    one,
    other,
  }) {
    const { id } = await begin(one)
    const [failed, complete] = [
      orderOf(),
      orderOf({ id: 'order-2', type: 'order_complete', summary: '{"n":"’"}' }),
    ]
    await one.purchases.record(id, orderOf({ type: 'payment_started' }))
    await one.purchases.record(id, complete)
    await other.purchases.record(id, failed)
    await other.purchases.record('unknown', failed)
    await other.purchases.record(id, orderOf({ id: 'order-2', type: 'payment_started', summary: '{"n":2}' }))
    assert.deepEqual((await one.purchases.find(id))?.orders, [failed, complete])
    const again = { ...complete, summary: '{"n":3}' }
    await other.purchases.record(id, again)
    assert.deepEqual((await one.purchases.find(id))?.orders, [failed, again])
  },
}

const subscriptions: Checks = {
  async 'lists settled purchases whose subscription is due, longest due first'({ one, other }) {
    const settle = async (checkAt?: number): Promise<string> => {
      const { id } = await begin(one)
      await one.purchases.claim(id, `order of ${id}`, { checkAt })
      return id
    }
    const due = async (at: number, limit = 9): Promise<string[]> =>
      idsOf(await other.purchases.subscriptionsDue(at, limit))
    await begin(one)
    await settle()
    const [second, first] = [await settle(2_000), await settle(1_000)]
    await one.purchases.claim(first, 'another order', { checkAt: 5_000 })
    assert.deepEqual(await due(999), [])
    assert.deepEqual(await due(2_000), [first, second])
    assert.equal((await other.purchases.find(first))?.checkAt, 1_000)
    assert.deepEqual(await due(2_000, 1), [first])
    await one.purchases.checkSubscriptionAt(first, 3_000, 1_000)
    await other.purchases.checkSubscriptionAt(first, null, 1_000)
    assert.deepEqual(await due(3_000), [second, first])
    await one.purchases.checkSubscriptionAt(second, null, 2_000)
    assert.equal((await other.purchases.find(second))?.checkAt, null)
    assert.deepEqual(await due(3_000), [first])
    assert.equal(await one.purchases.renew(first, 'order-2', 0, 9_000), false)
    assert.deepEqual(await due(3_000), [first])
    assert.equal(await one.purchases.renew(first, 'order-2', 1, 4_000), true)
    assert.equal(await other.purchases.renew(first, 'order-2', 1, 1_000), true)
    assert.deepEqual(await due(3_999), [])
    assert.deepEqual(await due(4_000), [first])
  },
}

const lists: Checks = {
  async 'lists a shopper’s settled purchases of the product that was sold, newest first'({ one, other }) {
    const settle = async (
      begunAt: number,
      productId: string,
      fields: Partial<Purchase> = {},
    ): Promise<string> => {
      const { id } = await begin(one, { begunAt, validUntil: Date.now() + DAY, ...fields })
      await one.purchases.claim(id, `order of ${id}`, { productId, payer: 'u-1' })
      await other.purchases.claim(id, 'another order', { productId: 'bronze', payer: 'u-2' })
      return id
    }
    const ids: string[] = []
    for (let index = 0; index < SETTLED_FOR_SHOPPER + 1; index++)
      ids.push(await settle(1_000 + index, 'gold-100'))
    await begin(one)
    const silver = await settle(5_000, 'silver')
    const others = await settle(5_000, 'gold-100', { shopper: { userId: 'grace' } })
    assert.deepEqual(
      idsOf(await other.purchases.settledFor('ada', 'gold-100', 'r')),
      ids.reverse().slice(0, -1),
    )
    assert.deepEqual(idsOf(await other.purchases.settledFor('ada', 'silver', 'r')), [silver])
    assert.deepEqual(idsOf(await other.purchases.settledFor('grace', 'gold-100', 'r')), [others])
    assert.deepEqual(await other.purchases.settledFor('nobody', 'gold-100', 'r'), [])
    assert.deepEqual(await other.purchases.settledFor('ada', 'bronze', 'r'), [])
    const sold = async () => {
      const { productId, payer, checkAt } = (await one.purchases.find(silver)) ?? {}
      return [productId, payer, checkAt]
    }
    assert.deepEqual(await sold(), ['silver', 'u-1', null])
    await other.purchases.claim(silver, `order of ${silver}`, { productId: 'tin', payer: 'u-3', checkAt: 1 })
    assert.deepEqual(await sold(), ['tin', 'u-3', null])
    // A record of the service's list may lack the user.
    await other.purchases.claim(silver, `order of ${silver}`, { productId: 'tin' })
    assert.deepEqual(await sold(), ['tin', 'u-3', null])
  },
  async 'lists first the settled purchase that the order renewed, then those checked next'({ one, other }) {
    const settle = async (begunAt: number, checkAt: number | null): Promise<string> => {
      const { id } = await begin(one, { begunAt, validUntil: Date.now() + DAY })
      await one.purchases.claim(id, `order of ${id}`, { productId: 'gold-100', checkAt })
      return id
    }
    const [later, checked] = [await settle(2, 6_000), await settle(1, 5_000)]
    const newer: string[] = []
    for (let at = 0; at < SETTLED_FOR_SHOPPER; at++) newer.push(await settle(1_000 + at, null))
    const listed = idsOf(await other.purchases.settledFor('ada', 'gold-100', 'r'))
    assert.deepEqual(listed, [checked, later, ...newer.toReversed()].slice(0, SETTLED_FOR_SHOPPER))
    const [oldest = ''] = newer
    assert.equal(await one.purchases.renew(oldest, 'r', 1), true)
    assert.equal(idsOf(await other.purchases.settledFor('ada', 'gold-100', 'r'))[0], oldest)
  },
  async 'lists the purchases of a shopper, newest first'({ one, other }) {
    const ids: string[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER; index++) {
      ids.push((await begin(one, { begunAt: 1_000 + index, validUntil: Date.now() })).id)
    }
    await one.purchases.record(ids.at(-1) ?? '', orderOf())
    await begin(one, { shopper: { customId: 'grace' } })
    await begin(one, { preload: true })
    const found = await other.purchases.ofShopper('ada')
    assert.deepEqual(idsOf(found), ids.toReversed())
    assert.deepEqual(found[0]?.orders, [orderOf()])
    assert.deepEqual(await other.purchases.ofShopper('nobody'), [])
  },
  async 'lists unsettled purchases of a span of time in pages, newest first'({ one, other }) {
    const at = async (begunAt: number): Promise<Purchase> => begin(one, { begunAt, validUntil: Date.now() })
    const [early, settled, ...unsettled] = [
      await at(1),
      await at(2_500),
      await at(3_000),
      await at(2_000),
      await at(2_000),
    ]
    const late = await at(4_000)
    await one.purchases.claim(settled.id, 'order-1')
    const expected = unsettled.toSorted((a, b) => b.begunAt - a.begunAt || (a.id < b.id ? 1 : -1))
    const span = { from: 2_000, to: 4_000, limit: 2 }
    const page = await other.purchases.unsettled(span)
    assert.deepEqual(
      idsOf(page),
      expected.slice(0, 2).map(({ id }) => id),
    )
    const last = page.at(-1)?.purchase
    assert.ok(last)
    await one.purchases.claim(last.id, 'order-2')
    assert.deepEqual(idsOf(await other.purchases.unsettled({ ...span, after: last })), [expected[2]?.id])
    const all = await other.purchases.unsettled({ from: 0, to: 9_000, limit: 9 })
    assert.deepEqual([all[0]?.purchase.id, all.at(-1)?.purchase.id], [late.id, early.id])
  },
}

export const purchaseChecks: Checks = {
  ...lookingUp,
  ...purchaseBounds,
  ...orders,
  ...subscriptions,
  ...lists,
}
