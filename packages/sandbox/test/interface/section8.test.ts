// Promise: interface/8
/** Section 8 of the interface: limits. */
import { expect } from 'vitest'
import { must, type Service, test, validUser } from '../support/service.ts'

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
