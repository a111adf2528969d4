import { expect, test } from 'vitest'
import { openDatabase } from '../server/database.ts'
import { createDeliveries } from '../server/deliveries.ts'

const paid = { id: 'order-1', shopper: 'guest-1', productId: 'gold-1200' }

const newDeliveries = () => createDeliveries(openDatabase(':memory:'), () => 1_000)

test('an order is delivered once, however often it is tried', () => {
  const deliveries = newDeliveries()
  expect([1, 2, 3].map(() => deliveries.deliver(paid))).toEqual([true, false, false])
  expect(deliveries.of(['guest-1'])).toEqual({
    delivered: [{ orderId: 'order-1', productId: 'gold-1200', deliveredAt: 1_000 }],
    held: [],
  })
})

test('a held order is not delivered', () => {
  const deliveries = newDeliveries()
  deliveries.hold(paid)
  deliveries.hold(paid)
  expect(deliveries.of(['guest-1'])).toEqual({ delivered: [], held: ['order-1'] })
})

test('a shopper sees what all their ids were given, and nothing of another’s', () => {
  const deliveries = newDeliveries()
  deliveries.deliver(paid)
  deliveries.deliver({ ...paid, id: 'order-2', shopper: 'member-1' })
  deliveries.hold({ id: 'order-3', shopper: 'guest-2' })
  const idsOf = (...shopper: string[]) => deliveries.of(shopper).delivered.map(({ orderId }) => orderId)
  expect(idsOf('member-1', 'guest-1').sort()).toEqual(['order-1', 'order-2'])
  expect(deliveries.of(['guest-3'])).toEqual({ delivered: [], held: [] })
})
