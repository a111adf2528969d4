import { expect, test } from 'vitest'
import { type OrderSummary, resolveRedirect } from '../src/index.ts'
import { resultOf, unknown, unverified } from '../src/state.ts'

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

test.each([
  ['order_complete', 'self', { url: 'https://s.example/ok', target: '_self' }],
  ['order_complete', 'new', { url: 'https://s.example/ok', target: '_blank' }],
  ['order_failed', 'new', { url: 'https://s.example/no', target: '_blank' }],
  ['order_failed', '', { url: 'https://s.example/no', target: '_self' }],
  ['payment_started', 'self', null],
  ['anything_else', 'new', null],
])('%s with redirect_page %s leads to %j', (type, redirect_page, expected) => {
  const addresses = { redirect_url: 'https://s.example/ok', fail_redirect_url: 'https://s.example/no' }
  expect(resolveRedirect({ type, redirect_page, ...addresses })).toEqual(expected)
  expect(resolveRedirect({ type, redirect_page })).toBeNull()
})
