// Promise: sandbox/checkout
/** Full KYC on the widget page: when it is required, and how the payment continues. */
import { expect } from 'vitest'
import { must, test } from './support/service.ts'

const bitcoin = (quote_amount: string) => ({ product_id: 'btc', quote_amount })

test('full KYC is required when a low-KYC limit would be exceeded, and the payment then continues', async ({
  service,
}) => {
  const checkout = await service.openCheckout(bitcoin('150.01'))
  const stopped = await must(service.pay(checkout))
  expect(stopped).toMatchObject({ step: 'identity', order: null, remaining: '150.00' })
  expect(await service.user()).toMatchObject({ fkyc_status: 'pending' })
  for (const [proof, field] of [
    [{ document: 'passport', camera: false }, 'camera'],
    [{ document: 'library card', camera: true }, 'document'],
  ] as const)
    expect(await service.act(checkout.id, 'identity', proof)).toMatchObject({
      status: 400,
      body: { field },
    })
  const proved = await must(service.act(checkout.id, 'identity', { document: 'id_card', camera: true }))
  const order = { type: 'order_complete' }
  expect(proved).toMatchObject({ step: 'complete', order, remaining: '19849.99' })
  expect(await service.user()).toMatchObject({
    fkyc_status: 'success',
    limits: { crypto_remaining: '19849.99', crypto_spending: '150.01' },
  })
})

test('full KYC is for the waiting payment: not for another offer, and not before a payment', async ({
  service,
}) => {
  await service.flip({ paymentMs: 500 })
  const proof = { document: 'id_card', camera: true }
  const checkout = await service.openCheckout(bitcoin('150.01'))
  expect(await must(service.act(checkout.id, 'identity', proof))).toEqual(checkout)
  expect((await must(service.pay(checkout))).step).toBe('identity')
  await must(service.act(checkout.id, 'offer', { product_id: 'gold-100' }))
  expect(await must(service.act(checkout.id, 'identity', proof))).toMatchObject({
    step: 'pay',
    order: null,
  })
  expect(await service.orderTypes()).toEqual([])
})

test('full KYC is not required at the exact limit, to the last decimal', async ({ service }) => {
  for (const [amount, outcome] of [
    ['149.99999999', { step: 'complete', remaining: '0.00000001' }],
    ['0.00000001', { step: 'complete', remaining: '0.00' }],
    ['0.00000001', { step: 'identity' }],
  ] as const) {
    const checkout = await service.openCheckout(bitcoin(amount))
    expect(await must(service.pay(checkout))).toMatchObject(outcome)
  }
})

test('full KYC does not lift the full limit', async ({ service }) => {
  const checkout = await service.openCheckout(bitcoin('20000.01'))
  expect(await service.pay(checkout)).toMatchObject({ status: 403, body: { error: true } })
  // The whole payment was refused: not even the shopper was created.
  const nobody = { api_key: service.apiKey, email: 'shopper@example.com' }
  expect((await service.fetchUserDetails<unknown>(nobody)).status).toBe(404)
})

test('full KYC follows the limits that the control plane sets', async ({ service }) => {
  const low = { crypto: '1', digital_goods: '0' }
  await service.set('limits', { low, full: { crypto: '2', digital_goods: '3' } }, 'PUT')
  expect((await must(service.pay(await service.openCheckout()))).step).toBe('identity')
})
