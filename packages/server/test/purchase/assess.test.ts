// Promise: match/claim
/** Which purchase an order belongs to, what state follows, and which subscription it renews. */
import { describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../src/errors.ts'
import { memoryStore, type Order, type Purchase, type Subscription } from '../../src/index.ts'
import { type AssessorOptions, createAssessor } from '../../src/purchase/assess.ts'
import { customIdOf } from '../../src/purchase/carrier.ts'
import { summarise } from '../../src/purchase/summary.ts'
import { begunAt, orderOf, purchaseOf } from '../support/purchases.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const none = { id: null, state: 'none', differences: [], params: {}, reference: null, begunAt: null }

/** A shop with these purchases, whose service lists these subscriptions, or fails. */
async function setUp(purchases: Purchase[], subscriptions: Subscription[] | Error = []) {
  const store = memoryStore({ now: () => begunAt })
  const { purchases: rows } = store
  for (const purchase of purchases) await rows.begin(purchase)
  const asked: object[] = []
  const sought: string[] = []
  const checks: (number | null | undefined)[] = []
  /** `checks`: when renewals are first looked for. `age`: milliseconds since the purchases began. */
  const world = { subscriptions, asked, sought, checks, age: 0 }
  const client: AssessorOptions['client'] = {
    subscriptions: {
      async list(query) {
        asked.push(query)
        if (world.subscriptions instanceof Error) throw world.subscriptions
        return world.subscriptions
      },
      retrieve: () => Promise.reject(new Error('there may be several')),
    },
  }
  const find: typeof rows.find = (id) => {
    sought.push(id)
    return rows.find(id)
  }
  const claim: typeof rows.claim = (id, orderId, sold) => {
    checks.push(sold?.checkAt)
    return rows.claim(id, orderId, sold)
  }
  const options = { client, now: () => begunAt + world.age }
  const assess = createAssessor({ store: { ...store, purchases: { ...rows, find, claim } }, ...options })
  return { world, rows, store, assess, options }
}

/** As it is recorded: with no address of the order's. */
const summaryOf = (order: Order): string => JSON.stringify(summarise(order, () => false))

const ada = { user_id: 'somebody-of-the-service', custom_id: 'ada' }
/** The queries for Ada's subscriptions. */
const ofAda = [{ user_id: ada.user_id }, { custom_id: ada.custom_id }]

const blank = { redirect_url: '', fail_redirect_url: '' }
const elsewhere = 'https://pay.example/'

describe('an order belongs to the purchase', () => {
  const named = purchaseOf({ reference: 'basket-7' })
  const carried = purchaseOf({ carrier: 'custom_id' })
  const other = purchaseOf()

  test.each<[string, Purchase | null, Order]>([
    ['that its address names', named, orderOf(named, { fail_redirect_url: '' })],
    ['that its other address names', named, orderOf(named, { redirect_url: '' })],
    [
      'that its first address names',
      named,
      { ...orderOf(other), redirect_url: orderOf(named).redirect_url ?? '' },
    ],
    ['that travels in its custom id', carried, orderOf(carried, blank)],
    [
      'that travels there, whatever its addresses',
      carried,
      { ...orderOf(other), custom_id: customIdOf(carried.id) },
    ],
    [
      'of its address, where its custom id is only spelt alike',
      named,
      orderOf(named, { custom_id: customIdOf(other.id) }),
    ],
    [
      'of its address, where nothing travels in its custom id',
      named,
      orderOf(named, { custom_id: customIdOf('x'.repeat(22)) }),
    ],
    ['that nobody began', null, orderOf(named, { ...blank, custom_id: customIdOf('x'.repeat(22)) })],
    ['that it does not name', null, orderOf(named, blank)],
  ])('%s', async (_, purchase, order) => {
    const { assess } = await setUp([named, carried, other])
    const found = await assess(order)
    if (!purchase) expect(found).toEqual(none)
    else expect(found).toMatchObject({ id: purchase.id, reference: purchase.reference })
  })

  test('the purchase is looked up by valid ids only', async () => {
    const { assess, world } = await setUp([])
    const { custom_id: _, ...without } = orderOf(named, blank)
    const id = 'AbCdEfGhIjKlMnOpQrSt_-'
    const carried = customIdOf(id)
    for (const custom_id of [
      carried,
      id,
      '',
      'ada',
      `${carried}x`,
      `x${carried}`,
      `${carried.slice(0, -1)} `,
    ])
      expect(await assess({ ...without, custom_id })).toEqual(none)
    expect(await assess(without)).toEqual(none)
    expect(world.sought).toEqual([id])
  })
})

describe('an order that names its purchase', () => {
  const purchase = purchaseOf({ reference: 'basket-7' })
  const about = {
    id: purchase.id,
    params: purchase.params,
    reference: 'basket-7',
    begunAt: new Date(begunAt),
  }

  test('an order settles its purchase when it is paid, and is recorded', async () => {
    const { assess, rows, world } = await setUp([purchase])
    const order = orderOf(purchase)
    expect(await assess(order)).toEqual({ ...about, state: 'matched', differences: [] })
    expect(world.checks).toEqual([begunAt + 3_600_000])
    expect(await rows.find(purchase.id)).toMatchObject({
      claimedBy: order.id,
      orders: [{ id: order.id, type: 'order_complete', state: 'matched', summary: summaryOf(order) }],
    })
  })

  test.each<[string, Partial<Order>, string, number]>([
    ['not paid yet', { type: 'payment_started' }, 'matched', 1],
    ['at another price', { quote_amount: '0.01' }, 'mismatched', 1],
    ['of another shopper', { custom_id: 'eve' }, 'mismatched', 0],
  ])('an order settles nothing when it is %s', async (_, changes, state, recorded) => {
    const { assess, rows } = await setUp([purchase])
    expect(await assess(orderOf(purchase, changes))).toMatchObject({ id: purchase.id, state })
    const row = await rows.find(purchase.id)
    expect([row?.claimedBy, row?.orders.length]).toEqual([null, recorded])
  })

  test('an order that onOrder was called with before it fitted settles nothing, and is shown as differing', async () => {
    const { assess, rows, store } = await setUp([purchase])
    const order = orderOf(purchase)
    await store.handled.add({ orderId: order.id, type: order.type, purchaseId: null })
    expect(await assess(order)).toEqual({ ...about, state: 'mismatched', differences: [] })
    expect(await rows.find(purchase.id)).toMatchObject({ claimedBy: null, orders: [{ state: 'mismatched' }] })
  })

  test('an order has no purchase when that has been removed meanwhile', async () => {
    const { options, rows, store } = await setUp([purchase])
    const expired = { ...rows, claim: async () => null }
    const assess = createAssessor({ store: { ...store, purchases: expired }, ...options })
    expect(await assess(orderOf(purchase))).toEqual(none)
    expect((await rows.find(purchase.id))?.orders).toEqual([])
  })

  test('an order is a duplicate when another has settled the purchase, and there was no new charge', async () => {
    const { assess, world } = await setUp([purchase])
    await assess(orderOf(purchase))
    const second = orderOf(purchase, { id: 'second' })
    expect(await assess(second)).toEqual({ ...about, state: 'duplicate', differences: [] })
    expect(world.asked).toEqual([...ofAda, { product_id: 'gold-100' }])
  })

  test('a late order settles the purchase, so that the next one is a duplicate', async () => {
    const late = purchaseOf({ validUntil: begunAt - 1 })
    const { assess } = await setUp([late])
    const states: string[] = []
    for (const id of ['one', 'two', 'one', 'two']) states.push((await assess(orderOf(late, { id }))).state)
    expect(states).toEqual(['mismatched', 'duplicate', 'mismatched', 'duplicate'])
    const cheap = orderOf(late, { id: 'cheap', quote_amount: '0.01' })
    expect((await assess(cheap)).state).toBe('mismatched')
  })

  test('an order is a duplicate without a call to the service if no product was sold', async () => {
    const open = purchaseOf({ params: { quote: 'USD', quote_amount: '9.99' }, open: ['product_id'] })
    const { assess, world } = await setUp([open])
    expect(await assess(orderOf(open))).toMatchObject({ state: 'matched' })
    expect(await assess(orderOf(open, { id: 'second' }))).toMatchObject({ state: 'duplicate' })
    expect(world.asked).toEqual([])
  })
})

/** Charged this often since it began. */
function subscriptionOf(charges: number, changes: Partial<Subscription> = {}): Subscription {
  const start_date = new Date(begunAt)
  const last_paid_date = new Date(begunAt + charges * 28 * DAY_MS)
  const fields = { ...ada, product_id: 'gold-100', start_date, last_paid_date, ...changes }
  return { ...fields, raw: fields }
}

/** No error of the service: nothing is wrong with its address. */
const waiting = { name: 'Error', message: expect.stringMatching(/ The order is checked again\.$/) }

describe('an order renews', () => {
  const purchase = purchaseOf()
  const first = orderOf(purchase)
  const renewal = orderOf(purchase, { ...blank, id: 'renewal' })

  /** The state of an order after the purchase's first one. */
  async function stateAfter(first: Order, next: Order, subscriptions: Subscription[] | Error) {
    const { assess, world } = await setUp([purchase], subscriptions)
    await assess(first)
    return { ...(await assess(next)), asked: world.asked }
  }

  test.each([
    ['blank addresses', renewal],
    ['those of the first', orderOf(purchase, { id: 'renewal' })],
  ])('an order renews a subscription that was charged again, with %s', async (_, next) => {
    const { assess, rows, world } = await setUp([purchase], [subscriptionOf(1)])
    await assess(first)
    expect(await assess(next)).toEqual({
      id: purchase.id,
      state: 'renewal',
      differences: [],
      params: purchase.params,
      reference: null,
      begunAt: new Date(begunAt),
    })
    expect(world.asked).toEqual(ofAda)
    const recorded = { id: 'renewal', type: 'order_complete', state: 'renewal', summary: summaryOf(next) }
    expect((await rows.find(purchase.id))?.orders).toEqual([expect.anything(), recorded])
  })

  test('an order keeps its charge without another question, even if the service no longer lists the subscription', async () => {
    const { assess, world } = await setUp([purchase], [subscriptionOf(1)])
    for (const order of [first, renewal]) await assess(order)
    world.subscriptions = new NetworkError('subscriptions.list', 'gone')
    expect((await assess(renewal)).state).toBe('renewal')
    expect(world.asked).toEqual(ofAda)
  })

  test.each<[string, boolean, Partial<Order>, number, string]>([
    ['a failed charge of it', true, {}, 1, 'renewal'],
    ['a failed charge at another price', true, { quote_amount: '0.01' }, 1, 'mismatched'],
    ['an unfinished second payment', true, { type: 'payment_started' }, 1, 'mismatched'],
    ['a late try of a purchase that nobody paid', false, {}, 1, 'mismatched'],
    ['a declined try in another tab, while it was valid', true, {}, 0, 'matched'],
  ])('%s is known by the addresses of the first order', async (_, isPaid, changes, lateMs, state) => {
    const { assess, rows, world } = await setUp([purchase])
    if (isPaid) await assess(first)
    world.age = purchase.validUntil + lateMs - begunAt
    const found = await assess(orderOf(purchase, { id: 'failed', type: 'order_failed', ...changes }))
    expect([found.state, found.differences.length > 0]).toEqual([state, state === 'mismatched'])
    expect((await rows.find(purchase.id))?.claimedBy).toBe(isPaid ? first.id : null)
  })

  test('an order renews a subscription to the product that the shopper chose, and to no other', async () => {
    const open = purchaseOf({ params: { quote: 'USD', quote_amount: '9.99' }, open: ['product_id'] })
    const products = ['gold-100', 'silver']
    const subscriptions = products.map((product_id) => subscriptionOf(2, { product_id }))
    const { assess } = await setUp([open], subscriptions)
    await assess(orderOf(open, { product_id: 'gold-100' }))
    const states: string[] = []
    for (const product_id of products) {
      const next = orderOf(open, { ...blank, product_id, id: `next ${product_id}` })
      states.push((await assess(next)).state)
    }
    expect(states).toEqual(['renewal', 'none'])
  })

  test('an order for another product is decided at once while a charge of the chosen one is expected', async () => {
    const open = purchaseOf({ params: { quote: 'USD', quote_amount: '9.99' }, open: ['product_id'] })
    const { assess, world } = await setUp([open])
    await assess(orderOf(open, { product_id: 'gold-100' }))
    world.age = DAY_MS
    const other = { product_id: 'silver', id: 'other' }
    expect(await assess(orderOf(open, other))).toMatchObject({ state: 'duplicate' })
    expect(await assess(orderOf(open, { ...other, ...blank }))).toEqual(none)
    await expect(assess(orderOf(open, { ...other, product_id: 'gold-100' }))).rejects.toMatchObject(waiting)
  })

  test.each<[string, Subscription[] | Error]>([
    ['has none', []],
    ['knows nobody of that id', new ApiError('subscriptions.list', 'unknown', { status: 404 })],
    ['has one that was never charged again', [subscriptionOf(0)]],
    ['has one of another product', [subscriptionOf(1, { product_id: 'silver' })]],
    ['has another shopper’s', [subscriptionOf(1, { custom_id: 'eve' })]],
    ['has another user’s under their id', [subscriptionOf(1, { user_id: 'eve' })]],
  ])('an order renews nothing when the service %s', async (_, subscriptions) => {
    expect(await stateAfter(first, renewal, subscriptions)).toMatchObject(none)
  })

  describe('when the service refuses, or lists none', () => {
    const again = orderOf(purchase, { id: 'again' })

    /** Decides this late, after the first order. */
    async function refusedAt(age: number, status: number | 'none' = 404) {
      const refusal =
        status === 'none'
          ? []
          : new ApiError('subscriptions.list', 'unknown', { status, refusedBy: 'service' })
      const { assess, rows, world } = await setUp([purchase], refusal)
      await assess(first)
      world.age = age
      return { rows, assess }
    }

    test.each([200, 400, 404, 410, 422, 'none'] as const)(
      'an order is undecided while a charge is expected: %s',
      async (status) => {
        const { assess } = await refusedAt(23 * HOUR_MS, status)
        for (const order of [renewal, again]) {
          await expect(assess(order)).rejects.toMatchObject(waiting)
        }
      },
    )

    test.each([
      ['before the first charge may come', 23 * HOUR_MS - 1, false],
      ['once the checks have ended', 23 * HOUR_MS, true],
    ])('an order is no renewal %s', async (_, age, hasEnded) => {
      const { assess, rows } = await refusedAt(age)
      if (hasEnded) await rows.checkSubscriptionAt(purchase.id, null, begunAt + HOUR_MS)
      expect(await assess(renewal)).toEqual(none)
      expect(await assess(again)).toMatchObject({ state: 'duplicate' })
    })
  })

  test('an order renews by the most charged of the subscriptions that two payments began', async () => {
    for (const charges of [
      [0, 1],
      [1, 0],
    ]) {
      const { assess } = await setUp(
        [purchase],
        charges.map((count) => subscriptionOf(count)),
      )
      await assess(first)
      expect(await assess(orderOf(purchase, { id: 'again', quote_amount: '0.01' }))).toMatchObject({
        state: 'mismatched',
      })
      expect(await assess(renewal)).toMatchObject({ state: 'renewal' })
    }
  })

  test.each([
    ['renews what the same user paid', ada.user_id, 'renewal'],
    ['renews nothing when another user paid first', 'eve', 'none'],
  ])('an order %s, also if the first order leaves its user out later', async (_, user_id, state) => {
    const { assess } = await setUp([purchase], [subscriptionOf(1)])
    const { user_id: __, ...unnamed } = first
    for (const order of [{ ...first, user_id }, unnamed]) await assess(order)
    expect(await assess(renewal)).toMatchObject({ state })
  })

  const { user_id: _, ...unnamed } = first
  test.each([
    ['leaves the user out', unnamed],
    ['has a blank user', { ...first, user_id: '' }],
  ])('an order renews what the same user paid, also if at that moment a list %s', async (_, listed) => {
    const { assess, store, options } = await setUp([purchase], [subscriptionOf(1)])
    const claim: typeof store.purchases.claim = async (...given) => {
      await assess(first)
      return store.purchases.claim(...given)
    }
    const other = createAssessor({
      ...options,
      store: { ...store, purchases: { ...store.purchases, claim } },
    })
    expect(await other(listed)).toMatchObject({ state: 'matched' })
    expect(await assess(renewal)).toMatchObject({ state: 'renewal' })
  })

  test.each<[string, Partial<Order>]>([
    ['not paid', { type: 'order_failed' }],
    ['that leads elsewhere', { redirect_url: elsewhere }],
    ['that leads elsewhere when it fails', { fail_redirect_url: elsewhere }],
    ['without a product', { product_id: '' }],
    ['at another price', { quote_amount: '0.01' }],
    ['of nobody', { custom_id: '', user_id: '' }],
    ['of another shopper', { custom_id: 'eve' }],
    ['that has settled it', { id: first.id }],
  ])('with an order %s nothing is renewed, without a call to the service', async (_, changes) => {
    const next = { ...renewal, ...changes }
    const { state, asked } = await stateAfter(first, next, [subscriptionOf(1)])
    expect([state, asked]).toEqual(['none', []])
  })

  describe('while the dates show no charge yet', () => {
    const again = orderOf(purchase, { id: 'again' })
    const start = new Date(begunAt)

    test.each<[string, Partial<Subscription>]>([
      ['now', { next_paid_date: new Date(begunAt + 28 * DAY_MS) }],
      ['on this day, by a date without a time', { next_paid_date: new Date(begunAt + 27.4 * DAY_MS) }],
      ['two days ago: the card was charged late', { next_paid_date: new Date(begunAt + 26 * DAY_MS) }],
      ['in a month: that date has moved first', { next_paid_date: new Date(begunAt + 56 * DAY_MS) }],
      ['on no day', {}],
      ['and neither is its start', { start_date: start, last_paid_date: start }],
    ])('an order waits for them for an hour; the next charge is due %s', async (_, dates) => {
      const { assess, world } = await setUp([purchase], [subscriptionOf(0, dates)])
      await assess(first)
      world.age = 28 * DAY_MS
      for (const order of [renewal, again]) await expect(assess(order)).rejects.toMatchObject(waiting)
      world.age += HOUR_MS - 1
      for (const order of [renewal, again]) await expect(assess(order)).rejects.toMatchObject(waiting)
      world.subscriptions = [subscriptionOf(1)]
      expect(await assess(again)).toMatchObject({ state: 'renewal', id: purchase.id })
      world.age += 1
      expect(await assess(renewal)).toEqual(none)
    })

    test.each([
      ['one subscription', [subscriptionOf(0)]],
      ['none', []],
    ])(
      'an order waits if one of two purchases may be charged again, where the service lists %s',
      async (_, shown) => {
        const begun = begunAt + 28 * DAY_MS
        const ofToday = purchaseOf({ begunAt: begun, validUntil: begun + DAY_MS })
        const { assess, world } = await setUp([purchase, ofToday], shown)
        await assess(first)
        world.age = 28 * DAY_MS
        await assess(orderOf(ofToday))
        await expect(assess(renewal)).rejects.toMatchObject(waiting)
      },
    )

    test('an order does not wait on the day of the payment, when no charge can come, nor once the checks have ended', async () => {
      const { assess, rows, world } = await setUp([purchase], [subscriptionOf(0)])
      await assess(first)
      world.age = 23 * HOUR_MS - 1
      expect(await assess({ ...renewal, id: 'early' })).toEqual(none)
      await rows.checkSubscriptionAt(purchase.id, null, begunAt + HOUR_MS)
      world.age = 28 * DAY_MS
      expect(await assess(renewal)).toEqual(none)
    })
  })

  test.each<[string, Subscription[] | Error, object]>([
    ['the service fails', new ApiError('subscriptions.list', 'broken', { status: 500 }), { status: 500 }],
    ['the service is gone', new NetworkError('subscriptions.list', 'gone'), { name: 'NetworkError' }],
  ])('an order is undecided while %s', async (_, subscriptions, error) => {
    await expect(stateAfter(first, renewal, subscriptions)).rejects.toMatchObject(error)
  })

  test('an order renews nothing of a purchase that was settled too late, even if one was declined in time', async () => {
    const late = purchaseOf({ validUntil: begunAt - 1 })
    const { assess, rows, world } = await setUp([late], [subscriptionOf(1)])
    const declined = { id: 'declined', type: 'order_failed', state: 'matched' as const, summary: '{}' }
    await rows.record(late.id, declined)
    expect(await assess(orderOf(late))).toMatchObject({ state: 'mismatched' })
    expect(world.checks).toEqual([begunAt + 3_600_000])
    expect(await assess(orderOf(late, { ...blank, id: 'renewal' }))).toEqual(none)
    expect(world.asked).toEqual([])
  })

  test('an order renews nothing of a purchase that the page decided', async () => {
    const ofPage = purchaseOf({ decidedBy: 'page' })
    const { assess, world } = await setUp([ofPage], [subscriptionOf(1)])
    expect(await assess(orderOf(ofPage))).toMatchObject({ state: 'unchecked' })
    expect(await assess(orderOf(ofPage, { ...blank, id: 'renewal' }))).toEqual(none)
    expect(world.asked).toEqual([])
  })

  test('an order renews a purchase that has other orders too', async () => {
    const { assess, rows } = await setUp([purchase], [subscriptionOf(1)])
    const declined = { id: 'declined', type: 'order_failed', state: 'mismatched' as const, summary: '{}' }
    await rows.record(purchase.id, declined)
    await assess(first)
    expect(await assess(renewal)).toMatchObject({ id: purchase.id, state: 'renewal' })
  })

  test('an order renews by the service’s id if the shop has none', async () => {
    const byUser = purchaseOf({ shopper: { userId: 'U1' } })
    const { custom_id: _, ...ofUser } = subscriptionOf(1, { user_id: 'U1' })
    const { assess, world } = await setUp([byUser], [ofUser])
    await assess(orderOf(byUser))
    const next = orderOf(byUser, { ...blank, id: 'renewal' })
    world.subscriptions = [{ ...ofUser, user_id: 'U2' }]
    expect(await assess(next)).toEqual(none)
    world.subscriptions = [ofUser]
    expect(await assess(next)).toMatchObject({ id: byUser.id, state: 'renewal' })
    expect(world.asked).toEqual([{ user_id: 'U1' }, { product_id: 'gold-100' }, { user_id: 'U1' }])
  })
})

// Promise: match/renewal-once
test('of two purchases the later one is renewed first, and an order renews one of them permanently', async () => {
  const one = purchaseOf()
  const later = purchaseOf({ begunAt: begunAt + 1 })
  const { assess, rows } = await setUp([one], [subscriptionOf(1)])
  const renewedBy = async (id: string): Promise<string | null> =>
    (await assess(orderOf(one, { ...blank, id }))).id
  await assess(orderOf(one))
  expect(await renewedBy('r1')).toBe(one.id)
  await rows.begin(later)
  await assess(orderOf(later))
  expect(await renewedBy('r1')).toBe(one.id)
  expect(await renewedBy('r2')).toBe(later.id)
  expect(await renewedBy('r3')).toBeNull()
})

test('of two purchases the one whose subscription has not ended is renewed first', async () => {
  const ended = purchaseOf()
  const live = purchaseOf({ params: { quote: 'USD', quote_amount: '9.99' }, open: ['product_id'] })
  const { assess, rows } = await setUp([ended, live], [subscriptionOf(1)])
  await assess(orderOf(live, { product_id: 'gold-100' }))
  await assess(orderOf(ended))
  await rows.checkSubscriptionAt(ended.id, null, begunAt + 3_600_000)
  expect((await assess(orderOf(ended, { ...blank, id: 'renewal' }))).id).toBe(live.id)
})

test('each of forty subscriptions of one shopper to one product is renewed every month', async () => {
  const seats = Array.from({ length: 40 }, (_, at) => purchaseOf({ begunAt: begunAt + at }))
  const { assess, world } = await setUp(seats, [subscriptionOf(0)])
  for (const seat of seats) await assess(orderOf(seat))
  for (const month of [1, 2]) {
    world.age = month * 28 * DAY_MS
    world.subscriptions = [
      subscriptionOf(month, { next_paid_date: new Date(begunAt + (month + 1) * 28 * DAY_MS) }),
    ]
    const charges = seats.map((seat, at) => orderOf(seat, { ...blank, id: `${month}-${at}` }))
    const renewed: (string | null)[] = []
    for (const charge of charges) {
      const { id } = await assess(charge)
      // As after an onOrder that failed.
      expect(await assess(charge)).toMatchObject({ state: 'renewal', id })
      renewed.push(id)
    }
    expect(new Set(renewed)).toEqual(new Set(seats.map(({ id }) => id)))
  }
})

test('an order keeps its charge when the process ended before the order was recorded', async () => {
  const [renewed, live] = [purchaseOf(), purchaseOf({ begunAt: begunAt + 1 })]
  const { assess, rows } = await setUp([renewed, live], [subscriptionOf(1)])
  for (const each of [renewed, live]) await assess(orderOf(each))
  await rows.renew(renewed.id, 'r1', 1, null)
  expect((await assess(orderOf(renewed, { ...blank, id: 'r1' }))).id).toBe(renewed.id)
  expect((await assess(orderOf(live, { ...blank, id: 'r2' }))).id).toBe(live.id)
})

test('an order that is assessed again leaves the date of the next check as it is', async () => {
  const purchase = purchaseOf()
  const { assess, rows } = await setUp([purchase], [subscriptionOf(1)])
  await assess(orderOf(purchase))
  const renewal = orderOf(purchase, { ...blank, id: 'renewal' })
  await assess(renewal)
  await rows.checkSubscriptionAt(purchase.id, begunAt + 5 * DAY_MS, begunAt + DAY_MS)
  expect(await assess(renewal)).toMatchObject({ state: 'renewal' })
  expect((await rows.find(purchase.id))?.checkAt).toBe(begunAt + 5 * DAY_MS)
})

test('an order that loses the claim to the first one meanwhile is its renewal', async () => {
  const purchase = purchaseOf()
  const { assess, rows, store, options } = await setUp([purchase], [subscriptionOf(1)])
  const claim: typeof rows.claim = async (...given) => {
    await assess(orderOf(purchase))
    return rows.claim(...given)
  }
  const late = createAssessor({ store: { ...store, purchases: { ...rows, claim } }, ...options })
  expect(await late(orderOf(purchase, { id: 'renewal' }))).toMatchObject({ state: 'renewal' })
})

/** The shopper chooses the product; without a choice it is the club. */
const choosing = {
  params: { product_id: 'club', quote: 'USD', quote_amount: '9.99' },
  open: ['product_id'],
}

test('a purchase is renewed after twenty newer ones of other products, where each product was chosen in place of a default', async () => {
  const club = purchaseOf(choosing)
  const others = Array.from({ length: 20 }, (_, at) => purchaseOf({ ...choosing, begunAt: begunAt + 1 + at }))
  const { assess } = await setUp([club, ...others], [subscriptionOf(1, { product_id: 'club' })])
  await assess(orderOf(club))
  for (const other of others) await assess(orderOf(other, { product_id: 'gold-100' }))
  expect(await assess(orderOf(club, { ...blank, id: 'renewal' }))).toMatchObject({
    id: club.id,
    state: 'renewal',
  })
})

test('a purchase sold the product that the server named if its order leaves it out, and the chosen one otherwise', async () => {
  const [silent, chosen] = [purchaseOf(choosing), purchaseOf(choosing)]
  const { assess, rows } = await setUp([silent, chosen])
  const { product_id: _, ...without } = orderOf(silent)
  await assess(without)
  await assess(orderOf(chosen, { product_id: 'gold-100' }))
  expect([(await rows.find(silent.id))?.productId, (await rows.find(chosen.id))?.productId]).toEqual([
    'club',
    'gold-100',
  ])
})

test('an order that names its product late has sold that one, and renews it', async () => {
  const purchase = purchaseOf(choosing)
  const { assess, rows } = await setUp([purchase], [subscriptionOf(1)])
  const named = orderOf(purchase, { product_id: 'gold-100' })
  const { product_id: _, ...unnamed } = named
  const sold: (string | null | undefined)[] = []
  for (const order of [unnamed, named, unnamed]) {
    await assess(order)
    sold.push((await rows.find(purchase.id))?.productId)
  }
  expect(sold).toEqual(['club', 'gold-100', 'gold-100'])
  expect(await assess({ ...named, ...blank, id: 'renewal' })).toMatchObject({ state: 'renewal' })
})

test('of ten orders that are assessed together one renews the purchase that was charged once', async () => {
  const purchase = purchaseOf()
  const { assess } = await setUp([purchase], [subscriptionOf(1)])
  await assess(orderOf(purchase))
  const orders = Array.from({ length: 10 }, (_, at) => orderOf(purchase, { ...blank, id: `order-${at}` }))
  const states = await Promise.all(orders.map(async (order) => (await assess(order)).state))
  expect(states.sort()).toEqual([...Array(9).fill('none'), 'renewal'])
})
