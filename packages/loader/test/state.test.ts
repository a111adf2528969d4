import { expect, test } from 'vitest'
import { type OrderSummary, resolveRedirect } from '../src/index.ts'
import { resultOf, unknown, unverified } from '../src/state.ts'
import { hostile } from './hostileAddresses.ts'

const decline = { code: '4004', reason: 'Insufficient balance', action: 'Add funds.' }
const order = (type: string, more: Partial<OrderSummary> = {}): OrderSummary => ({
  id: 'o1',
  type,
  decline: null,
  ...more,
})

test('a finished order makes a verified result', () => {
  const complete = order('order_complete')
  expect(resultOf(complete, { status: 'closed' })).toEqual({
    status: 'success',
    verified: true,
    order: complete,
  })
  const failed = order('order_failed', { decline })
  expect(resultOf(failed, unknown, 'https://shop.example/r')).toEqual({
    status: 'failure',
    verified: true,
    order: failed,
    decline,
    returnUrl: 'https://shop.example/r',
  })
})

test('an order on its way, or of an unlisted type, changes no result but is shown with it', () => {
  for (const type of ['payment_started', 'order_refunded', '__proto__', 'constructor'])
    expect(resultOf(order(type), { status: 'closed' })).toEqual({ status: 'closed', order: order(type) })
})

test('without an order, what the page knows is the result, and never verified', () => {
  expect(resultOf(null, { status: 'closed' })).toEqual({ status: 'closed' })
  const url = 'https://shop.example/r'
  expect(unverified({ status: 'success', url })).toEqual({
    status: 'success',
    verified: false,
    returnUrl: url,
  })
  expect(unverified({ status: 'unknown', url })).toMatchObject({ status: 'unknown' })
})

const shop = { allowedReturnOrigins: ['https://s.example'] }

test.each([
  ['order_complete', 'self', { url: 'https://s.example/ok', target: '_self' }],
  ['order_complete', 'new', { url: 'https://s.example/ok', target: '_blank' }],
  ['order_failed', 'new', { url: 'https://s.example/no', target: '_blank' }],
  ['order_failed', '', { url: 'https://s.example/no', target: '_self' }],
  ['payment_started', 'self', null],
  ['anything_else', 'new', null],
])('%s with redirect_page %s leads to %j', (type, redirect_page, expected) => {
  const addresses = { redirect_url: 'https://s.example/ok', fail_redirect_url: 'https://s.example/no' }
  expect(resolveRedirect({ type, redirect_page, ...addresses }, shop)).toEqual(expected)
  expect(resolveRedirect({ type, redirect_page }, shop)).toBeNull()
})

test.each(hostile)('an order whose address is %j leads nowhere', (address) => {
  const addresses = { redirect_url: address, fail_redirect_url: address }
  for (const type of ['order_complete', 'order_failed'])
    for (const allowedReturnOrigins of [undefined, [], ['https://s.example'], [address]])
      expect(resolveRedirect({ type, ...addresses }, { allowedReturnOrigins })).toBeNull()
})

test.each([
  ['https://s.example', 'https://s.example/ok', true],
  ['https://s.example/any/path', 'https://s.example?ok', true],
  ['http://localhost:3000', 'http://localhost:3000/ok', true],
  ['https://s.example', 'https://evil.example/ok', false],
  ['https://s.example', 'https://s.example.evil.example/ok', false],
  ['https://s.example', 'https://s.example:444/ok', false],
  ['https://s.example', 'https://s.example@evil.example', false],
  ['http://localhost:3000', 'http://localhost:3001/ok', false],
  ['javascript:0', 'https://s.example/ok', false],
])('with %s allowed, %s is allowed: %s', (allowed, redirect_url, goes) => {
  const redirect = resolveRedirect(
    { type: 'order_complete', redirect_url },
    { allowedReturnOrigins: [allowed] },
  )
  expect(redirect).toEqual(goes ? { url: redirect_url, target: '_self' } : null)
})

test('where there is no page, no origin is allowed but the given ones', () => {
  expect(resolveRedirect({ type: 'order_complete', redirect_url: 'https://s.example/ok' })).toBeNull()
})
