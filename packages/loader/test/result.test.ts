// Promise: known/result
import { expect, test } from 'vitest'
import type { OrderSummary } from '../src/index.ts'
import { hintedResult, outcomeOf, resultOf, unansweredResult, unknownResult } from '../src/outcome/result.ts'

const decline = { code: '4004', reason: 'Insufficient balance', action: 'Add funds.' }
const order = (type: string, more: Partial<OrderSummary> = {}): OrderSummary => ({
  id: 'o1',
  type,
  decline: null,
  ...more,
})

test.each(['matched', 'unchecked', 'renewal'])(
  'a complete purchase that is %s is a verified success',
  (state) => {
    const complete = order('order_complete')
    expect(resultOf({ status: 'complete', state, order: complete }, { status: 'closed' })).toEqual({
      status: 'success',
      verified: true,
      order: complete,
    })
  },
)

test.each(['mismatched', 'duplicate', 'none', null, undefined, 'matched '])(
  'a complete purchase that is %s is an unverified success',
  (state) => {
    expect(resultOf({ status: 'complete', ...(state !== undefined && { state }) }, unknownResult)).toEqual({
      status: 'success',
      verified: false,
    })
  },
)

test('the result of a failed purchase has the decline and the return address', () => {
  const failed = order('order_failed', { decline })
  const returned = 'https://shop.example/r'
  expect(resultOf({ status: 'failed', order: failed }, unknownResult, returned)).toEqual({
    status: 'failure',
    verified: true,
    order: failed,
    decline,
    returnUrl: returned,
  })
})

test('a pending order does not change the result, but is part of it', () => {
  for (const type of ['payment_started', 'order_refunded', '__proto__', 'constructor'])
    expect(resultOf({ status: 'pending', order: order(type) }, { status: 'closed' })).toEqual({
      status: 'closed',
      order: order(type),
    })
})

test('without an order, the result comes from the page, and is never verified', () => {
  expect(resultOf({ status: 'none' }, { status: 'closed' })).toEqual({ status: 'closed' })
  const returned = 'https://shop.example/r'
  expect(hintedResult('success', returned)).toEqual({
    status: 'success',
    verified: false,
    returnUrl: returned,
  })
  expect(hintedResult('unknown', returned)).toEqual(unknownResult)
})

test('a missing order has no outcome, and an unanswered request has its own reason', () => {
  expect([outcomeOf(null), outcomeOf(undefined)]).toEqual([undefined, undefined])
  expect([unknownResult, unansweredResult]).toEqual([
    { status: 'unknown', reason: 'Your server knows no finished order.' },
    { status: 'unknown', reason: 'Your server did not answer.' },
  ])
})
