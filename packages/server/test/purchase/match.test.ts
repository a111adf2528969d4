// Promise: match/matched
/** How an order fits its purchase: genuine ones match, and those that differ in one field do not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../src/index.ts'
import { returnAddress } from '../../src/purchase/carrier.ts'
import { isDecimal, sameAmount } from '../../src/purchase/fields.ts'
import { isSameSale, match } from '../../src/purchase/match.ts'
import type { Purchase, PurchaseState, RecordedOrder } from '../../src/purchase/purchase.ts'
import { begunAt, orderOf, purchaseOf, rowOf, url } from '../support/purchases.ts'

const compare = (purchase: Purchase, order: Order, now = begunAt + 1_000): ReturnType<typeof match> =>
  match(order, rowOf([], null, purchase), now)

const expectDifference = (purchase: Purchase, changes: Partial<Order>, field: string): void => {
  const { state, differences } = compare(purchase, orderOf(purchase, changes))
  expect(state).toBe('mismatched')
  expect(differences.map((one) => one.field)).toEqual([field])
}

describe('an order matches', () => {
  test('an order matches when it equals its purchase', () => {
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
  ])('an order matches with %s', (_, changes) => {
    const purchase = purchaseOf()
    expect(compare(purchase, orderOf(purchase, changes)).state).toBe('matched')
  })

  test.each(['?order_id=1', '&order_id=1&type=order_complete', '#done', '?a=1?b=2'])(
    'an order matches with %s appended to its return addresses (U19)',
    (appended) => {
      const purchase = purchaseOf()
      const { redirect_url, fail_redirect_url } = orderOf(purchase)
      const changes = {
        redirect_url: `${redirect_url}${appended}`,
        fail_redirect_url: `${fail_redirect_url}${appended}`,
      }
      expect(compare(purchase, orderOf(purchase, changes)).state).toBe('matched')
    },
  )

  test('an order matches with any value of an open field', () => {
    const purchase = purchaseOf({ open: ['address', 'quote_amount'] })
    expect(compare(purchase, orderOf(purchase, { address: 'bc1q', quote_amount: '5' })).state).toBe('matched')
  })

  test('an order matches under an id that the shopper had before signing in', () => {
    const purchase = purchaseOf({ formerly: ['guest-1'] })
    expect(compare(purchase, orderOf(purchase, { custom_id: 'guest-1' })).state).toBe('matched')
  })

  test('an order matches by the user id when there is no custom id', () => {
    const purchase = purchaseOf({ shopper: { userId: 'U1' } })
    expect(compare(purchase, orderOf(purchase)).state).toBe('matched')
    expectDifference(purchase, { user_id: 'U2' }, 'user_id')
  })

  test('an order matches with addresses that the service does not repeat, if the id travels in custom_id', () => {
    const purchase = purchaseOf({ carrier: 'custom_id' })
    const order = orderOf(purchase, { redirect_url: '', fail_redirect_url: 'https://pay.example/done' })
    expect(compare(purchase, order).state).toBe('matched')
    expectDifference(purchase, { custom_id: 'ada' }, 'custom_id')
    const other = returnAddress(url, purchaseOf().id, 'success')
    expectDifference(purchase, { redirect_url: other }, 'redirect_url')
  })
})

// Promise: match/late
describe('an order after the time of its purchase', () => {
  const purchase = purchaseOf()
  const order = orderOf(purchase)
  const seen = (type: string, state: PurchaseState = 'matched'): RecordedOrder => ({
    id: order.id,
    type,
    state,
    summary: '{}',
  })

  test.each<[string, RecordedOrder[], string, boolean]>([
    ['that was not seen', [], 'order_complete', false],
    ['of which another was seen in time', [{ ...seen('payment_started'), id: 'o' }], 'order_complete', false],
    ['that was seen in time', [seen('payment_started')], 'order_complete', true],
    ['that was seen as a renewal', [seen('order_complete', 'renewal')], 'order_complete', false],
    ['that did not match in time', [seen('order_complete', 'mismatched')], 'order_complete', false],
    ['that was declined in time, and still is', [seen('order_failed')], 'order_failed', true],
    ['that was declined in time, and is tried again', [seen('order_failed')], 'payment_started', false],
    ['that was declined in time, and is paid (U25)', [seen('order_failed')], 'order_complete', false],
  ])('%s: %j, and now is %s, matches: %s', (_, orders, type, isMatched) => {
    const known = rowOf(orders, null, purchase)
    expect(match({ ...order, type }, known, purchase.validUntil).state).toBe('matched')
    expect(match({ ...order, type }, known, purchase.validUntil + 1).differences).toEqual(
      isMatched
        ? []
        : [{ field: 'time', expected: '2026-01-02T00:00:00.000Z', got: '2026-01-02T00:00:00.001Z' }],
    )
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

test('every field that was sold is compared', () => {
  const purchase = purchaseOf({ params: { ...purchaseOf().params, email: 'ada@example.com', clickID: '1' } })
  expectDifference(purchase, { email: 'eve@example.com' }, 'email')
  expectDifference(purchase, { clickID: '2' }, 'clickID')
})

test('text that is not an amount is compared literally, even if it reads as the same number', () => {
  const purchase = purchaseOf({ params: { ...purchaseOf().params, product_id: '10' } })
  expectDifference(purchase, { product_id: '010' }, 'product_id')
  expectDifference(purchase, { product_id: '10.0' }, 'product_id')
})

test('an order that names no shopper does not match', () => {
  const purchase = purchaseOf()
  const { custom_id: _, ...order } = orderOf(purchase)
  expect(compare(purchase, order)).toMatchObject({
    state: 'mismatched',
    differences: [{ field: 'custom_id', expected: 'ada', got: null }],
  })
})

test('where the id travels in custom_id, the service’s id of the shopper is compared too', () => {
  const purchase = purchaseOf({ carrier: 'custom_id', shopper: { userId: 'U1' } })
  expect(compare(purchase, orderOf(purchase)).state).toBe('matched')
  expectDifference(purchase, { user_id: 'U2' }, 'user_id')
  const ofShop = purchaseOf({ carrier: 'custom_id' })
  expect(compare(ofShop, orderOf(ofShop, { user_id: 'U2' })).state).toBe('matched')
})

test('a sale is the same if neither the shopper nor the sold fields differ', () => {
  const purchase = purchaseOf()
  const sameWith = (changes: Partial<Order>): boolean => isSameSale(orderOf(purchase, changes), purchase)
  expect(sameWith({ redirect_url: '', fail_redirect_url: '' })).toBe(true)
  expect(sameWith({ custom_id: 'eve' })).toBe(false)
  expect(sameWith({ quote_amount: '0.01' })).toBe(false)
  expect(sameWith({ custom_id: 'eve', quote_amount: '0.01' })).toBe(false)
})

// Promise: match/unchecked
test('a purchase that the page decided is unchecked, except for the shopper', () => {
  const purchase = purchaseOf({ decidedBy: 'page' })
  expect(compare(purchase, orderOf(purchase, { quote_amount: '1' }))).toEqual({
    state: 'unchecked',
    differences: [],
  })
  expectDifference(purchase, { custom_id: 'eve' }, 'custom_id')
})

// Promise: match/decimals
test('amounts are equal as decimals, and nothing else is an amount', () => {
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
