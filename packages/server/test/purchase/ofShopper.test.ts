// Promise: launch/shopper-ids
/** By which ids a shopper's subscriptions are looked up. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { customIdOf } from '../../src/purchase/carrier.ts'
import { subscriptionsOf } from '../../src/purchase/ofShopper.ts'
import type { Purchase } from '../../src/purchase/purchase.ts'
import type { Caller } from '../../src/purchase/shopper.ts'
import { begunAt, purchaseOf } from '../support/purchases.ts'

/** The lookups at the service, for a caller with these paid purchases. */
async function lookups(caller: Caller, purchases: Purchase[] = []): Promise<object[]> {
  const { purchases: rows } = memoryStore({ now: () => begunAt })
  for (const purchase of purchases) {
    await rows.begin(purchase)
    await rows.claim(purchase.id, `order of ${purchase.id}`, { productId: purchase.params.product_id })
  }
  const asked: object[] = []
  const list = async (query: object): Promise<[]> => {
    asked.push(query)
    return []
  }
  const retrieve = (): Promise<never> => Promise.reject(new Error('there may be several'))
  await subscriptionsOf({ subscriptions: { list, retrieve } }, rows, caller)
  return asked
}

test('the service’s id is looked up as such only where the shop has none of its own', async () => {
  const byService: Caller = { shopper: { userId: 'U1' }, formerly: ['guest-1'] }
  expect(await lookups(byService)).toEqual([{ user_id: 'U1' }, { custom_id: 'guest-1' }])
  const spelledAlike: Caller = { shopper: { customId: 'ada', userId: 'ada' }, formerly: [] }
  expect(await lookups(spelledAlike)).toEqual([{ custom_id: 'ada' }])
})

test('purchases are looked up if their orders carry their id, of at most five products', async () => {
  const ada: Caller = { shopper: { customId: 'ada' }, formerly: [] }
  expect(await lookups(ada, [purchaseOf()])).toEqual([{ custom_id: 'ada' }])
  const carried = [1, 2, 3, 4, 5, 6].map((product) =>
    purchaseOf({ carrier: 'custom_id', params: { product_id: `club-${product}` } }),
  )
  const newest = carried.toReversed().slice(0, 5)
  expect(await lookups(ada, carried)).toEqual([
    { custom_id: 'ada' },
    ...newest.map(({ id }) => ({ custom_id: customIdOf(id) })),
  ])
})
