// Promise: loader/resolve-redirect
import { expect, test } from 'vitest'
import { resolveRedirect } from '../src/index.ts'
import { hostile } from './hostileAddresses.ts'

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

test.each(hostile)('an order whose address is %j has no redirect', (address) => {
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
  ['https://s.example', 'https://s.example/ok?basket=a+b&next=c%2Bd', true],
  ['http://localhost:3000', 'http://localhost:3001/ok', false],
  ['javascript:0', 'https://s.example/ok', false],
])('with %s allowed, %s is allowed: %s', (allowed, redirect_url, goes) => {
  const redirect = resolveRedirect(
    { type: 'order_complete', redirect_url },
    { allowedReturnOrigins: [allowed] },
  )
  expect(redirect).toEqual(goes ? { url: redirect_url, target: '_self' } : null)
})

test('without a page, only the given origins are allowed', () => {
  expect(resolveRedirect({ type: 'order_complete', redirect_url: 'https://s.example/ok' })).toBeNull()
})
