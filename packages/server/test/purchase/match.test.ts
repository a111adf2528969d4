// Promise: match/matched
/** How an order fits its purchase: genuine ones do, and no change of one does. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { createPurchaseClient, memoryStore, type Order, type Store } from '../../src/index.ts'
import { createAssessor } from '../../src/purchase/assess.ts'
import { customIdOf, returnAddress } from '../../src/purchase/carrier.ts'
import { isDecimal, sameAmount } from '../../src/purchase/fields.ts'
import { isSameSale, match } from '../../src/purchase/match.ts'
import type { Purchase, PurchaseState } from '../../src/purchase/purchase.ts'
import { begunAt, orderOf, purchaseOf, url } from '../support/purchases.ts'
import { settings } from '../support/settings.ts'

const compare = (purchase: Purchase, order: Order, now = begunAt + 1_000): ReturnType<typeof match> =>
  match(order, { purchase, claimedBy: null, preloadedUntil: null, orders: [] }, now)

const expectDifference = (purchase: Purchase, changes: Partial<Order>, field: string): void => {
  const { state, differences } = compare(purchase, orderOf(purchase, changes))
  expect(state).toBe('mismatched')
  expect(differences.map((one) => one.field)).toEqual([field])
}

describe('an order matches', () => {
  test('when it equals what was begun', () => {
    expect(compare(purchaseOf(), orderOf(purchaseOf()))).not.toMatchObject({ state: 'matched' })
    const purchase = purchaseOf()
    expect(compare(purchase, orderOf(purchase))).toEqual({ state: 'matched', differences: [] })
  })

  test.each([
    ['an amount written otherwise', { quote_amount: '9.990' }],
    [
      'what the shopper types about themselves',
      { email: 'ada@example.com', full_name: 'Ada', country: 'GBR' },
    ],
    ['tracking', { utm_source: 'mail', clickID: '1', campaignID: '2' }],
    ['another redirect_page', { redirect_page: 'new' }],
  ])('with %s', (_, changes) => {
    const purchase = purchaseOf()
    expect(compare(purchase, orderOf(purchase, changes)).state).toBe('matched')
  })

  test('with a field that was left open, whatever it is', () => {
    const purchase = purchaseOf({ open: ['address', 'quote_amount'] })
    expect(compare(purchase, orderOf(purchase, { address: 'bc1q', quote_amount: '5' })).state).toBe('matched')
  })

  test('under an id that the shopper had before signing in', () => {
    const purchase = purchaseOf({ formerly: ['guest-1'] })
    expect(compare(purchase, orderOf(purchase, { custom_id: 'guest-1' })).state).toBe('matched')
  })

  test('by the user id when there is no custom id', () => {
    const purchase = purchaseOf({ shopper: { userId: 'U1' } })
    expect(compare(purchase, orderOf(purchase)).state).toBe('matched')
    expectDifference(purchase, { user_id: 'U2' }, 'user_id')
  })

  test('with addresses that the service does not repeat, where the id travels in custom_id', () => {
    const purchase = purchaseOf({ carrier: 'custom_id' })
    const order = orderOf(purchase, { redirect_url: '', fail_redirect_url: 'https://pay.example/done' })
    expect(compare(purchase, order).state).toBe('matched')
    expectDifference(purchase, { custom_id: 'ada' }, 'custom_id')
    const other = returnAddress(url, purchaseOf().id, 'success')
    expectDifference(purchase, { redirect_url: other }, 'redirect_url')
  })

  test('although it is late, when it was seen in time', () => {
    const purchase = purchaseOf()
    const order = orderOf(purchase)
    const late = purchase.validUntil + 1
    const seen = { id: order.id, type: 'payment_started', state: 'matched' as const, summary: '{}' }
    expect(
      match(order, { purchase, claimedBy: null, preloadedUntil: null, orders: [seen] }, late).state,
    ).toBe('matched')
    expect(compare(purchase, order, late).differences).toEqual([
      { field: 'time', expected: '2026-01-02T00:00:00.000Z', got: '2026-01-02T00:00:00.001Z' },
    ])
  })

  test('until its time is over, but not as what renewed a subscription before', () => {
    const purchase = purchaseOf()
    const order = orderOf(purchase)
    expect(compare(purchase, order, purchase.validUntil).state).toBe('matched')
    for (const state of ['renewal', 'mismatched'] as const) {
      const seen = { id: order.id, type: 'order_complete', state, summary: '{}' }
      const known = { purchase, claimedBy: null, preloadedUntil: null, orders: [seen] }
      expect(match(order, known, purchase.validUntil + 1).state).toBe('mismatched')
    }
  })

  test('although it is late, when it was declined in time and still is, but not when it is paid afterwards (U25)', () => {
    const purchase = purchaseOf()
    const order = orderOf(purchase)
    const declined = { id: order.id, type: 'order_failed', state: 'matched' as const, summary: '{}' }
    const known = { purchase, claimedBy: null, preloadedUntil: null, orders: [declined] }
    const late = purchase.validUntil + 1
    expect(match({ ...order, type: 'order_failed' }, known, late).state).toBe('matched')
    for (const type of ['payment_started', 'order_complete'] as const) {
      const { differences } = match({ ...order, type }, known, late)
      expect(differences.map(({ field }) => field)).toEqual(['time'])
    }
  })
})

test.each([
  [{ quote_amount: '0.01' }, 'quote_amount'],
  [{ quote_amount: '9.9900000000000000001' }, 'quote_amount'],
  [{ quote_amount: '' }, 'quote_amount'],
  [{ quote: 'VND' }, 'quote'],
  [{ product_id: 'gold-1000' }, 'product_id'],
  [{ base: 'BTC' }, 'base'],
  [{ base_amount: '1' }, 'base_amount'],
  [{ address: 'bc1q' }, 'address'],
  [{ custom_id: 'eve' }, 'custom_id'],
  [{ custom_id: '' }, 'custom_id'],
  [{ redirect_url: '' }, 'redirect_url'],
  [{ fail_redirect_url: 'https://evil.example/' }, 'fail_redirect_url'],
])('an order with %o does not match', (changes, field) => {
  expectDifference(purchaseOf(), changes, field)
})

test('what was sold counts, whichever field it is', () => {
  const purchase = purchaseOf({ params: { ...purchaseOf().params, email: 'ada@example.com', clickID: '1' } })
  expectDifference(purchase, { email: 'eve@example.com' }, 'email')
  expectDifference(purchase, { clickID: '2' }, 'clickID')
})

test('where the id travels in custom_id, an id of the service’s counts beside it', () => {
  const purchase = purchaseOf({ carrier: 'custom_id', shopper: { userId: 'U1' } })
  expect(compare(purchase, orderOf(purchase)).state).toBe('matched')
  expectDifference(purchase, { user_id: 'U2' }, 'user_id')
  const ofShop = purchaseOf({ carrier: 'custom_id' })
  expect(compare(ofShop, orderOf(ofShop, { user_id: 'U2' })).state).toBe('matched')
})

test('a sale is the same when neither the shopper nor what was sold differs', () => {
  const purchase = purchaseOf()
  const sameWith = (changes: Partial<Order>): boolean => isSameSale(orderOf(purchase, changes), purchase)
  expect(sameWith({ redirect_url: '', fail_redirect_url: '' })).toBe(true)
  expect(sameWith({ custom_id: 'eve' })).toBe(false)
  expect(sameWith({ quote_amount: '0.01' })).toBe(false)
  expect(sameWith({ custom_id: 'eve', quote_amount: '0.01' })).toBe(false)
})

// Promise: match/unchecked
test('what the page decided is unchecked, but for the shopper', () => {
  const purchase = purchaseOf({ decidedBy: 'page' })
  expect(compare(purchase, orderOf(purchase, { quote_amount: '1' }))).toEqual({
    state: 'unchecked',
    differences: [],
  })
  expectDifference(purchase, { custom_id: 'eve' }, 'custom_id')
})

// Promise: match/decimals
test('amounts are equal as decimals, and nothing else is one', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 24n })
  fc.assert(
    fc.property(digits, digits, fc.nat(18), fc.nat(5), (one, other, scale, zeros) => {
      const write = (value: bigint): string => {
        const text = value.toString().padStart(scale + 1, '0')
        return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
      }
      const padded = scale === 0 ? `00${write(one)}` : `00${write(one)}${'0'.repeat(zeros)}`
      expect(sameAmount(write(one), padded)).toBe(true)
      expect(sameAmount(write(one), write(other))).toBe(one === other)
    }),
  )
  for (const text of ['', ' 1', '1.', '.5', '-1', '1e3', '1,5', '٣', 'NaN', '0x1', '1.0.0', '1\n']) {
    expect([text, isDecimal(text), sameAmount(text, text)]).toEqual([text, false, false])
  }
})

/** Every shopper has a subscription of every product here, so that nothing is refused for the want of one. */
function assessorOf(store: Store, now: number): ReturnType<typeof createAssessor> {
  const client = createPurchaseClient({
    ...settings,
    fetch: async (input, init) => {
      const asked = JSON.parse(String(init?.body)) as Record<string, string>
      const user_id = 'somebody-of-the-service'
      if (String(input).endsWith('/transactions/data')) {
        return Response.json({ id: asked.order_id, type: 'order_complete', user_id })
      }
      const products = ['gold-100', 'gold-1000', 'club-monthly']
      const dates = { start_date: '2026-01-01T00:00:00Z', last_paid_date: '2026-02-01T00:00:00Z' }
      const ids = { user_id, custom_id: 'ada', ...asked }
      return Response.json(products.map((product_id) => ({ ...ids, ...dates, product_id })))
    },
  })
  return createAssessor({ store, client, now: () => now, summarise: () => '{}' })
}

// Promise: match/late
test('an order of a purchase that nobody settled in time is late, and nothing else', async () => {
  const purchase = purchaseOf()
  const late = purchase.validUntil + 1
  const store = memoryStore({ now: () => late })
  await store.purchases.begin(purchase)
  expect(await assessorOf(store, late)(orderOf(purchase))).toMatchObject({
    state: 'mismatched',
    differences: [{ field: 'time' }],
  })
})

test('an order that is late and equal in all else settles its purchase: the next one is paid twice', async () => {
  const purchase = purchaseOf()
  const late = purchase.validUntil + 1
  const store = memoryStore({ now: () => late })
  await store.purchases.begin(purchase)
  const assess = assessorOf(store, late)
  const states = []
  for (const id of ['one', 'two', 'one', 'two']) states.push((await assess(orderOf(purchase, { id }))).state)
  expect(states).toEqual(['mismatched', 'duplicate', 'mismatched', 'duplicate'])
  expect((await assess(orderOf(purchase, { id: 'cheap', quote_amount: '0.01' }))).state).toBe('mismatched')
})

// Promise: match/renewal-once
describe('an order without return addresses renews a subscription', () => {
  const club = { product_id: 'club-monthly', quote: 'USD', quote_amount: '4.99' }

  async function stateOf(
    changes: Partial<Order>,
    of: Partial<Purchase> = {},
    first: PurchaseState = 'matched',
  ): Promise<string> {
    const purchase = purchaseOf({ params: club, ...of })
    const store = memoryStore({ now: () => begunAt })
    await store.purchases.begin(purchase)
    await store.purchases.claim(purchase.id, 'the-first-order')
    const settledBy = { id: 'the-first-order', type: 'order_complete', state: first, summary: '{}' }
    await store.purchases.record(purchase.id, settledBy)
    const blank = { redirect_url: '', fail_redirect_url: '' }
    return (await assessorOf(store, begunAt)(orderOf(purchase, { ...blank, ...changes }))).state
  }

  test('of the same shopper, product and amount', async () => {
    expect(await stateOf({})).toBe('renewal')
  })

  test('that began with a match, and with no order that came too late', async () => {
    expect(await stateOf({}, {}, 'mismatched')).toBe('none')
  })

  test('once for each charge, however many orders are looked at at the same time', async () => {
    const purchase = purchaseOf({ params: club })
    const store = memoryStore({ now: () => begunAt })
    await store.purchases.begin(purchase)
    const assess = assessorOf(store, begunAt)
    expect((await assess(orderOf(purchase, { id: 'the-first-order' }))).state).toBe('matched')
    const blank = { redirect_url: '', fail_redirect_url: '' }
    const orders = Array.from({ length: 10 }, (_, at) => orderOf(purchase, { ...blank, id: `order-${at}` }))
    const states = await Promise.all(orders.map(async (order) => (await assess(order)).state))
    expect(states.filter((state) => state === 'renewal')).toHaveLength(1)
    expect(new Set(states)).toEqual(new Set(['renewal', 'none']))
  })

  test.each<[Partial<Order>, Partial<Purchase>?]>([
    [{ quote_amount: '0.01' }],
    [{ quote: 'VND' }],
    [{ product_id: 'gold-100' }],
    [{ address: 'bc1q' }],
    [{ custom_id: 'eve' }],
    [{ type: 'order_failed' }],
    [{ id: 'the-first-order' }],
    [{}, { decidedBy: 'page' }],
  ])('and none with %o of %o', async (changes, of) => {
    expect(await stateOf(changes, of)).toBe('none')
  })
})

const amount = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`)

const purchases = fc
  .record({
    product_id: fc.constantFrom('gold-100', 'club-monthly'),
    price: amount,
    currency: fc.constantFrom('USD', 'EUR'),
    wallet: fc.option(fc.constantFrom('bc1qone', 'bc1qtwo')),
    shopper: fc.constantFrom('ada', 'bob'),
    carrier: fc.constantFrom('return_url' as const, 'custom_id' as const),
  })
  .map(({ product_id, price, currency, wallet, shopper, carrier }) =>
    purchaseOf({
      shopper: { customId: shopper },
      params: {
        product_id,
        quote: currency,
        quote_amount: price,
        ...(wallet ? { base: 'BTC', base_amount: price, address: wallet } : {}),
      },
      carrier,
    }),
  )

/** What the service may do to an order that was paid as it was begun. */
const genuine = fc
  .record({
    appended: fc.constantFrom('', '?order_id=1', '&order_id=1&type=order_complete', '#done', '?a=1?b=2'),
    zeros: fc.constantFrom('', '0', '00'),
    more: fc.constantFrom<Partial<Order>>(
      {},
      { email: 'a@example.com' },
      { utm_source: 'mail' },
      { hash: '0x1' },
    ),
  })
  .map(
    ({ appended, zeros, more }) =>
      (order: Order): Order => ({
        ...order,
        ...more,
        quote_amount: `${order.quote_amount}${zeros}`,
        redirect_url: `${order.redirect_url}${appended}`.slice(0, 255),
        fail_redirect_url: `${order.fail_redirect_url}${appended}`.slice(0, 255),
      }),
  )

test('every order that was paid as it was begun is matched', async () => {
  const runs = proofRuns(1_000, 200)
  let matched = 0
  await fc.assert(
    fc.asyncProperty(purchases, genuine, async (purchase, change) => {
      const store = memoryStore({ now: () => begunAt })
      await store.purchases.begin(purchase)
      const { state } = await assessorOf(store, begunAt)(change(orderOf(purchase)))
      expect(state).toBe('matched')
      matched++
    }),
    { numRuns: runs },
  )
  recordFigure('genuine orders that are matched', `${matched} of ${runs}`)
})

/** What a shopper, or somebody else, can do to the widget's address. Each must change what it changes. */
const tamperings: Record<string, (order: Order, purchase: Purchase, other: Purchase) => Order> = {
  price: (order) => ({ ...order, quote_amount: '0.001' }),
  'price, hidden in digits': (order) => ({
    ...order,
    quote_amount: `${order.quote_amount}0000000000000000001`,
  }),
  currency: (order) => ({ ...order, quote: 'VND' }),
  product: (order) => ({ ...order, product_id: 'gold-1000' }),
  wallet: (order) => ({ ...order, address: 'bc1qevil' }),
  'an amount of the base': (order) => ({ ...order, base_amount: '0.000001' }),
  base: (order) => ({ ...order, base: 'DOGE' }),
  shopper: (order) => ({ ...order, custom_id: 'eve' }),
  'no shopper': (order) => ({ ...order, custom_id: '' }),
  'no return addresses, nor shopper': (order) => ({
    ...order,
    redirect_url: '',
    fail_redirect_url: '',
    custom_id: '',
  }),
  'another purchase': (order, _, other) => ({
    ...order,
    ...(other.carrier === 'custom_id' ? { custom_id: customIdOf(other.id) } : {}),
    redirect_url: returnAddress(url, other.id, 'success'),
    fail_redirect_url: returnAddress(url, other.id, 'failure'),
  }),
  'an unknown purchase': (order) => ({
    ...order,
    custom_id: customIdOf('x'.repeat(22)),
    redirect_url: returnAddress(url, 'x'.repeat(22), 'success'),
    fail_redirect_url: returnAddress(url, 'x'.repeat(22), 'failure'),
  }),
}

/** Where the addresses carry the purchase. */
const ofAddresses: typeof tamperings = {
  'addresses swapped': (order) => ({
    ...order,
    redirect_url: order.fail_redirect_url ?? '',
    fail_redirect_url: order.redirect_url ?? '',
  }),
  'another host': (order) => ({ ...order, redirect_url: `${order.redirect_url}`.replace('shop', 'evil') }),
  'no return addresses': (order) => ({ ...order, redirect_url: '', fail_redirect_url: '' }),
  'one address of another purchase': (order, _, other) => ({
    ...order,
    fail_redirect_url: returnAddress(url, other.id, 'failure'),
  }),
  'an address behind another': (order) => ({
    ...order,
    redirect_url: `https://evil.example/?${order.redirect_url}`,
  }),
}

/** The purchase that somebody else began, an old one of this shopper's, or one that is paid already. */
const others = fc.constantFrom('foreign' as const, 'old' as const, 'used' as const)

test('no order that was changed is matched', async () => {
  const runs = proofRuns(1_000, 200)
  let matched = 0
  const names = [...Object.keys(tamperings), ...Object.keys(ofAddresses)]
  await fc.assert(
    fc.asyncProperty(
      purchases,
      genuine,
      fc.constantFrom(...names),
      others,
      async (base, change, name, kind) => {
        const purchase = name in ofAddresses ? { ...base, carrier: 'return_url' as const } : base
        const other = purchaseOf({
          ...purchase,
          id: `${kind}-`.padEnd(22, 'y'),
          ...(kind === 'foreign' ? { shopper: { customId: 'carol', userId: 'U-carol' } } : {}),
          ...(kind === 'old' ? { validUntil: begunAt - 1 } : {}),
        })
        const store = memoryStore({ now: () => begunAt })
        await store.purchases.begin(purchase)
        await store.purchases.begin(other)
        if (kind === 'used') await store.purchases.claim(other.id, 'an-earlier-order')
        const tamper = tamperings[name] ?? ofAddresses[name]
        const order = change(orderOf(purchase))
        const { state } = await assessorOf(store, begunAt)(tamper?.(order, purchase, other) ?? order)
        if (state === 'matched') matched++
        expect([name, kind, state]).not.toContain('matched')
      },
    ),
    { numRuns: runs },
  )
  recordFigure('changed orders that are matched', `${matched} of ${runs}`)
})
