/** Checks of the rows of purchases. */
import assert from 'node:assert/strict'
import type { KnownOrder, KnownPurchase, Purchase } from '../../purchase/purchase.ts'
import {
  KEEP_UNSETTLED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_PER_SHOPPER,
  SETTLED_FOR_SHOPPER,
  type Store,
} from '../store.ts'
import type { Checks } from './checks.ts'
import { purchaseOf } from './purchaseOf.ts'
import { until } from './until.ts'

const DAY = 86_400_000

const orderOf = (fields: Partial<KnownOrder> = {}): KnownOrder => ({
  id: 'order-1',
  type: 'order_failed',
  state: 'matched',
  summary: '{"id":"order-1"}',
  ...fields,
})

async function begin({ purchases }: Store, fields: Partial<Purchase> = {}): Promise<Purchase> {
  const purchase = purchaseOf(fields)
  await purchases.begin(purchase)
  return purchase
}

const idsOf = (found: readonly KnownPurchase[]): string[] => found.map(({ purchase }) => purchase.id)

const lookingUp: Checks = {
  async 'finds a purchase as it was begun'({ one, other }) {
    const purchase = await begin(one, { shopper: { customId: 'ada', userId: 'u-1' }, formerly: ['guest-1'] })
    assert.deepEqual(await other.purchases.find(purchase.id), { purchase, claimedBy: null, orders: [] })
    assert.equal(await other.purchases.find('unknown'), null)
  },
  async 'leaves a purchase as it is when its id is begun again'({ one, other }) {
    const purchase = await begin(one)
    await begin(other, { id: purchase.id, shopper: { customId: 'mallory' } })
    assert.deepEqual((await one.purchases.find(purchase.id))?.purchase, purchase)
  },
  async 'forgets a purchase of which nothing came, and sweeps it'({ one, other }) {
    const kept = await begin(one)
    await one.purchases.sweep(100)
    const validUntil = Date.now() - KEEP_UNSETTLED_MS + 2_000
    const { id } = await begin(one, { validUntil })
    assert.ok(await one.purchases.find(id))
    await until('the end of a purchase', async () => (await one.purchases.find(id)) === null)
    assert.equal(await other.purchases.claim(id, 'order-1'), null)
    assert.equal(await other.purchases.sweep(100), 1)
    assert.equal(await other.purchases.sweep(100), 0)
    assert.ok(await one.purchases.find(kept.id))
  },
  async 'keeps a settled purchase longer'({ one, other }) {
    await one.purchases.sweep(100)
    const endsAt = Date.now() + 2_000
    const { id } = await begin(one, { validUntil: endsAt - KEEP_UNSETTLED_MS })
    assert.equal(await one.purchases.claim(id, 'order-1'), 'order-1')
    assert.equal(await one.purchases.renew(id, 'order-2', 1), true)
    await until('the time at which it would have ended', async () => Date.now() > endsAt)
    assert.equal((await other.purchases.find(id))?.claimedBy, 'order-1')
    assert.equal(await other.purchases.sweep(100), 0)
  },
  async 'keeps no unsettled purchase longer'({ one }) {
    await one.purchases.sweep(100)
    const { id } = await begin(one, { validUntil: Date.now() - KEEP_UNSETTLED_MS + 2_000 })
    assert.equal(await one.purchases.renew(id, 'order-2', 1), false)
    await until('the end of a purchase', async () => (await one.purchases.find(id)) === null)
  },
}

const bounds: Checks = {
  async 'keeps so many unsettled purchases of a shopper, and lets the oldest make way'({ one, other }) {
    const settled = await begin(one, { begunAt: 1, validUntil: Date.now() })
    await one.purchases.claim(settled.id, 'order-1')
    const stranger = await begin(one, { begunAt: 2, validUntil: Date.now(), shopper: { userId: 'grace' } })
    const begun: Purchase[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER + 2; index++) {
      begun.push(await begin(index % 2 ? one : other, { begunAt: 1_000 + index, validUntil: Date.now() }))
    }
    const found = await Promise.all(begun.map(({ id }) => one.purchases.find(id)))
    assert.deepEqual(
      found.map((row) => row !== null),
      begun.map((_, index) => index >= 2),
    )
    assert.ok(await one.purchases.find(settled.id))
    assert.ok(await one.purchases.find(stranger.id))
  },
  async 'lets links make way for links alone'({ one, other }) {
    const ofPage = await begin(one, { begunAt: 1, validUntil: Date.now() })
    const links: Purchase[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER + 1; index++) {
      links.push(await begin(one, { begunAt: 1_000 + index, validUntil: Date.now(), surface: 'launch' }))
    }
    const found = await Promise.all([ofPage, ...links].map(({ id }) => other.purchases.find(id)))
    assert.deepEqual(
      found.map((row) => row !== null),
      [true, ...links.map((_, index) => index >= 1)],
    )
  },
  async 'keeps what has had an order longer than what has had none'({ one, other }) {
    const at = (begunAt: number): Promise<Purchase> => begin(one, { begunAt, validUntil: Date.now() })
    const [tried, oldest] = [await at(1), await at(2)]
    await one.purchases.record(tried.id, orderOf())
    const rest: Purchase[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER - 1; index++) rest.push(await at(1_000 + index))
    assert.equal(await other.purchases.find(oldest.id), null)
    assert.ok(await other.purchases.find(tried.id))
    for (const { id } of rest) await one.purchases.record(id, orderOf({ id: `order of ${id}` }))
    // What has just begun does not make way, though all others have had orders.
    const latest = await at(3)
    assert.equal(await other.purchases.find(tried.id), null)
    assert.ok(await other.purchases.find(latest.id))
  },
  async 'keeps the bound when many purchases are begun at once'({ one, other }) {
    const all = Array.from({ length: 2 * PURCHASES_PER_SHOPPER }, (_, index) =>
      begin(index % 2 ? one : other),
    )
    const found = await Promise.all((await Promise.all(all)).map(({ id }) => one.purchases.find(id)))
    assert.equal(found.filter(Boolean).length, PURCHASES_PER_SHOPPER)
  },
  async 'keeps so many orders of a purchase, and always the one that settled it'({ one, other }) {
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
  },
  async 'gives each charge of a subscription to one of two orders, a hundred times'({ one, other }) {
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
  async 'claims no purchase that it does not know'({ one }) {
    assert.equal(await one.purchases.claim('unknown', 'order-1'), null)
  },
  async 'keeps the last word on each order, in the order in which they came'({ one, other }) {
    const { id } = await begin(one)
    const [failed, complete] = [
      orderOf(),
      orderOf({ id: 'order-2', type: 'order_complete', summary: '{"n":"’"}' }),
    ]
    await one.purchases.record(id, orderOf({ type: 'payment_started' }))
    await one.purchases.record(id, complete)
    await other.purchases.record(id, failed)
    await other.purchases.record('unknown', failed)
    assert.deepEqual((await one.purchases.find(id))?.orders, [failed, complete])
  },
}

const lists: Checks = {
  async 'keeps an order complete, whatever was read before that and comes later'({ one, other }) {
    const { id } = await begin(one)
    const complete = orderOf({ type: 'order_complete', summary: '{"n":1}' })
    await one.purchases.record(id, complete)
    await other.purchases.record(id, orderOf({ type: 'payment_started', summary: '{"n":2}' }))
    assert.deepEqual((await one.purchases.find(id))?.orders, [complete])
    const again = orderOf({ type: 'order_complete', summary: '{"n":3}' })
    await other.purchases.record(id, again)
    assert.deepEqual((await one.purchases.find(id))?.orders, [again])
  },
  async 'lists what a shopper has settled of a product, newest first'({ one, other }) {
    const settle = async (begunAt: number, fields: Partial<Purchase> = {}): Promise<string> => {
      const { id } = await begin(one, { begunAt, validUntil: Date.now() + DAY, ...fields })
      await one.purchases.claim(id, `order of ${id}`)
      return id
    }
    const ids: string[] = []
    for (let index = 0; index < SETTLED_FOR_SHOPPER + 1; index++) ids.push(await settle(1_000 + index))
    await begin(one)
    await settle(5_000, { params: { product_id: 'silver' } })
    const others = await settle(5_000, { shopper: { userId: 'grace' } })
    assert.deepEqual(idsOf(await other.purchases.settledFor('ada', 'gold-100')), ids.reverse().slice(0, -1))
    assert.deepEqual(idsOf(await other.purchases.settledFor('grace', 'gold-100')), [others])
    assert.deepEqual(await other.purchases.settledFor('nobody', 'gold-100'), [])
  },
  async 'lists the purchases of a shopper, newest first'({ one, other }) {
    const ids: string[] = []
    for (let index = 0; index < PURCHASES_PER_SHOPPER; index++) {
      ids.push((await begin(one, { begunAt: 1_000 + index, validUntil: Date.now() })).id)
    }
    await one.purchases.record(ids.at(-1) ?? '', orderOf())
    await begin(one, { shopper: { customId: 'grace' } })
    const found = await other.purchases.ofShopper('ada')
    assert.deepEqual(idsOf(found), ids.toReversed())
    assert.deepEqual(found[0]?.orders, [orderOf()])
    assert.deepEqual(await other.purchases.ofShopper('nobody'), [])
  },
  async 'lists unsettled purchases of a span of time in pages, oldest first'({ one, other }) {
    const at = async (begunAt: number): Promise<Purchase> => begin(one, { begunAt, validUntil: Date.now() })
    const [early, settled, ...begun] = [
      await at(1),
      await at(2_500),
      await at(3_000),
      await at(2_000),
      await at(2_000),
    ]
    const late = await at(4_000)
    await one.purchases.claim(settled.id, 'order-1')
    const expected = begun.toSorted((a, b) => a.begunAt - b.begunAt || (a.id < b.id ? -1 : 1))
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
    assert.deepEqual([all[0]?.purchase.id, all.at(-1)?.purchase.id], [early.id, late.id])
  },
}

export const purchaseChecks: Checks = { ...lookingUp, ...bounds, ...orders, ...lists }
