// Promise: widget/card
/** How card fields are formatted and checked. */
import { expect, test } from 'vitest'
import {
  checkPayment,
  formatCardNumber,
  formatExpiryDate,
  formatSecurityCode,
  toPayCheckout,
} from '../../src/widget/cardFormat.ts'

test.for([
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242 4242', '4242 4242 4242'],
  ['378282246310005', '3782 8224 6310 005'],
  ['4242 ', '4242'],
  ['', ''],
] as const)('a card number %s is written %s', ([typed, written]) => {
  expect(formatCardNumber(typed)).toBe(written)
})

test.for([
  ['1', '1'],
  ['5', '05'],
  ['12', '12'],
  ['122', '12/2'],
  ['12/29', '12/29'],
  ['12 / 29', '12/29'],
  ['12/2029', '12/29'],
  ['12/', '12'],
] as const)('an expiry date %s is written %s', ([typed, written]) => {
  expect(formatExpiryDate(typed)).toBe(written)
})

test('a security code is at most four digits', () => {
  expect(formatSecurityCode('12a345')).toBe('1234')
})

const payment = {
  email: 'ada@example.com',
  card_number: '4242 4242 4242 4242',
  expiry_date: '12/49',
  security_code: '123',
}

test('a payment that can be right has no errors', () => {
  expect(checkPayment(payment)).toEqual({})
})

test.for([
  ['email', 'ada@'],
  ['card_number', '4242 4242'],
  ['expiry_date', '13/29'],
  ['security_code', '12'],
] as const)('%s cannot be %s', ([field, value]) => {
  expect(Object.keys(checkPayment({ ...payment, [field]: value }))).toEqual([field])
})

test('the server gets the number without spaces', () => {
  expect(toPayCheckout({ ...payment, email: ' ada@example.com ' })).toEqual({
    ...payment,
    card_number: '4242424242424242',
  })
})

test('an e-mail address of 64 kB is judged at once', () => {
  // Of the processor: a busy machine may let a test wait for longer than that.
  const started = process.cpuUsage()
  for (const part of ['.', 'a.', 'a', '@'])
    expect(checkPayment({ ...payment, email: `a@${part.repeat(65_536 / part.length)}@` })).toHaveProperty(
      'email',
    )
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

test.for(['ada@example.com', 'a.b+c@d.e.example', 'ada@é.example', ' ada@example.com '])(
  '%s can be an e-mail address',
  (email) => {
    expect(checkPayment({ ...payment, email })).toEqual({})
  },
)

test.for([
  'ada',
  '@example.com',
  'ada@example',
  'ada@.com',
  'ada@example.',
  'ada@a..b',
  'a@b@c.d',
  'a da@example.com',
])('%s can be no e-mail address', (email) => {
  expect(checkPayment({ ...payment, email })).toHaveProperty('email')
})
