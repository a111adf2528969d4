import { expect, test } from 'vitest'
import { openDatabase } from '../server/database.ts'
import { createDeliveries, type DeliverableOrder } from '../server/deliveries.ts'

const paid: DeliverableOrder = {
  id: 'order-1',
  type: 'order_complete',
  custom_id: 'shopper-1',
  product_id: 'gold-1200',
  quote: 'USD',
  quote_amount: '9.99',
}

const newDeliveries = () => createDeliveries(openDatabase(':memory:'), () => 1_000)

test('an order that rings three times is handed over once', () => {
  const deliveries = newDeliveries()
  const outcomes = [1, 2, 3].map(() => deliveries.deliver(paid))
  expect(outcomes).toEqual(['delivered', 'already delivered', 'already delivered'])
  expect(deliveries.of('shopper-1')).toEqual([
    { orderId: 'order-1', productId: 'gold-1200', deliveredAt: 1_000 },
  ])
})

test.each([
  ['has not ended', { type: 'payment_started' }],
  ['failed', { type: 'order_failed' }],
  ['was paid with less than the price', { quote_amount: '0.01' }],
  ['was paid in another currency', { quote: 'JPY' }],
  ['says no amount', { quote_amount: undefined }],
  ['says an amount that is no number', { quote_amount: 'free' }],
  ['is for something that the shop does not sell', { product_id: 'crown' }],
  ['is nobody’s', { custom_id: undefined }],
])('an order that %s is not handed over', (_why, change) => {
  const deliveries = newDeliveries()
  expect(deliveries.deliver({ ...paid, ...change })).toBe('not due')
  expect(deliveries.has(paid.id)).toBe(false)
})

test('a shopper does not see what another was given', () => {
  const deliveries = newDeliveries()
  deliveries.deliver(paid)
  expect(deliveries.of('shopper-2')).toEqual([])
})
