// Promise: interface/7
/** Section 7 of the interface: errors. */
import { describe, expect } from 'vitest'
import { type DeclineCode, declines } from '../../src/widget/protocol.ts'
import { must, test, validUser } from '../support/service.ts'

const codes: [title: string, codes: DeclineCode[], reason: RegExp, action: RegExp][] = [
  [
    '7 code 4000: could not be charged, try again',
    ['4000'],
    /could not be charged.*not completed/,
    /try again/,
  ],
  [
    '7 code 4001: incorrect CVV/CVC, enter it again',
    ['4001'],
    /Incorrect CVV\/CVC/,
    /enter the security code/,
  ],
  [
    '7 codes 4002, 4010, 4012: declined by the issuer, contact the issuer',
    ['4002', '4010', '4012'],
    /declined by the card issuer/,
    /contact your card issuer/,
  ],
  [
    '7 code 4003: incorrect card details, enter valid ones',
    ['4003'],
    /Incorrect card details/,
    /valid card details/,
  ],
  [
    '7 code 4004: insufficient balance, add funds and retry',
    ['4004'],
    /Insufficient balance/,
    /add funds.*try again/,
  ],
  ['7 code 4005: limit exceeded, use a different card', ['4005'], /limit exceeded/, /different card/],
  ['7 code 4011: validation failed, provide a valid card', ['4011'], /validation failed/, /valid card/],
  [
    '7 code 4013: could not be charged, contact support',
    ['4013'],
    /could not be charged.*not completed/,
    /contact support/,
  ],
]

describe('codes sent when a transaction fails', () => {
  for (const [title, numbers, reason, action] of codes)
    test(title, async ({ service }) => {
      for (const code of numbers) {
        const checkout = await service.openCheckout()
        const declined = await must(service.pay(checkout, { card_number: `4000 0000 0000 ${code}` }))
        expect(declined.step).toBe('declined')
        expect(declined.order?.decline).toBe(code)
        expect(declines[code]).toEqual({
          reason: expect.stringMatching(reason),
          action: expect.stringMatching(action),
        })
        const order = await must(service.getTransaction({ order_id: declined.order?.id }))
        expect(order).toMatchObject({ type: 'order_failed', fail_reason: code })
      }
    })
})

test('7 user operations answer an error boolean and a message string, false when successful', async ({
  service,
}) => {
  const created = await service.createWidgetUser()
  expect(created.body).toMatchObject({ error: false, message: expect.any(String) })
  const fetched = await service.fetchUserDetails({ api_key: service.apiKey, email: validUser.email })
  expect(fetched.body.data).toMatchObject({ error: false, message: expect.any(String) })
  for (const answer of [
    await service.createWidgetUser<unknown>(),
    await service.fetchUserDetails<unknown>({ api_key: service.apiKey, email: 'nobody@example.com' }),
  ])
    expect(answer.body).toEqual({ error: true, message: expect.any(String) })
})
