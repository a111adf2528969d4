// Promise: interface/7
/** Sections 7 and 8 of the interface: errors, and limits. */
import { expect } from 'vitest'
import { type DeclineCode, declines } from '../../src/widget/protocol.ts'
import { must, type Service, test, validUser } from '../support/service.ts'

const issuer: [RegExp, RegExp] = [/declined by the card issuer/, /contact your card issuer/]

/** The problem, and the shopper's options. */
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

// Promise: interface/8
const limitsOf = async (service: Service, email: string): Promise<Record<string, string>> =>
  (await service.user(email)).limits

test('8 a user made by the widget-user operation has low-KYC limits until full KYC is done', async ({
  service,
}) => {
  await service.createWidgetUser()
  const form = { email: validUser.email }
  expect(await limitsOf(service, validUser.email)).toMatchObject({ digital_goods_remaining: '500.00' })
  const checkout = await service.openCheckout({ product_id: 'castle', quote_amount: '500.01' })
  const stopped = await must(service.pay(checkout, form))
  expect(stopped).toMatchObject({ step: 'identity', order: null })
  const proved = await must(service.act(checkout.id, 'identity', { document: 'passport', camera: true }))
  expect(proved).toMatchObject({ step: 'complete', order: { type: 'order_complete' } })
  expect(await limitsOf(service, validUser.email)).toEqual({
    crypto_remaining: '20000.00',
    crypto_spending: '0.00',
    digital_goods_remaining: '49499.99',
    digital_goods_spending: '500.01',
  })
})

test('8 limits are reported per user, as remaining and spending amounts for crypto and digital goods', async ({
  service,
}) => {
  await service.buy({ product_id: 'gold-550' }, { email: 'one@example.com' })
  await service.buy({ product_id: 'btc', quote_amount: '33.33' }, { email: 'two@example.com' })
  await service.buy({}, { email: 'two@example.com', card_number: '4000 0000 0000 4004' })
  expect(await limitsOf(service, 'one@example.com')).toEqual({
    crypto_remaining: '150.00',
    crypto_spending: '0.00',
    digital_goods_remaining: '495.01',
    digital_goods_spending: '4.99',
  })
  expect(await limitsOf(service, 'two@example.com')).toEqual({
    crypto_remaining: '116.67',
    crypto_spending: '33.33',
    digital_goods_remaining: '500.00',
    digital_goods_spending: '0.00',
  })
})
