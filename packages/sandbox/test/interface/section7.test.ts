// Promise: interface/7
/** Section 7 of the interface: errors. */
import { expect } from 'vitest'
import { type DeclineCode, declines } from '../../src/widget/protocol.ts'
import { must, test, validUser } from '../support/service.ts'

const issuer: [RegExp, RegExp] = [/declined by the card issuer/, /contact your card issuer/]

/** What went wrong, and what the shopper can do. */
const codes: Record<DeclineCode, [reason: RegExp, action: RegExp]> = {
  4000: [/could not be charged.*not completed/, /try again/],
  4001: [/Incorrect CVV\/CVC/, /enter the security code/],
  4002: issuer,
  4003: [/Incorrect card details/, /valid card details/],
  4004: [/Insufficient balance/, /add funds.*try again/],
  4005: [/limit exceeded/, /different card/],
  4010: issuer,
  4011: [/validation failed/, /valid card/],
  4012: issuer,
  4013: [/could not be charged.*not completed/, /contact support/],
}

test('7 a transaction that fails has the code of the card, with its meaning', async ({ service }) => {
  expect(Object.keys(codes)).toEqual(Object.keys(declines))
  for (const [code, { reason, action }] of Object.entries(declines)) {
    const declined = await must(
      service.pay(await service.openCheckout(), { card_number: `4000 0000 0000 ${code}` }),
    )
    expect(declined).toMatchObject({ step: 'declined', order: { decline: code } })
    expect([reason, action]).toEqual(codes[code as DeclineCode].map((words) => expect.stringMatching(words)))
    const order = await must(service.getTransaction({ order_id: declined.order?.id }))
    expect(order).toMatchObject({ type: 'order_failed', fail_reason: code })
  }
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
