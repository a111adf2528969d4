// Promise: match/duplicate
/** One purchase that is paid twice, told to two instances of a shop at the same moment. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type Service, startService } from '../support/service.ts'
import { type SharedStores, sharedStores } from '../support/shared.ts'
import { closeInstances, openInstance } from '../support/shop.ts'

let service: Service
let stores: SharedStores | undefined
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterEach(async () => {
  await closeInstances()
  await stores?.end()
  stores = undefined
}, 200_000)
afterAll(() => service.close())

test.each(sharedStores)('two payments on %s: one is matched, the other paid twice', async (name, on) => {
  stores = await on()
  const { open } = stores
  const instance = () =>
    openInstance(service.client(), open(), {
      createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
    })
  const [one, other] = await Promise.all([instance(), instance()])
  const runs = proofRuns(100, 4)
  const heard = (purchaseId: string): string[] =>
    [...one.heard, ...other.heard]
      .filter(({ purchase }) => purchase.id === purchaseId)
      .map(({ purchase }) => purchase.state)
  let right = 0
  for (let run = 0; run < runs; run++) {
    const shopper = { id: `shopper-${run}` }
    const { params, purchaseId } = await one.begin(shopper)
    const [first, second] = await Promise.all([service.buy(params), service.buy(params)])
    await Promise.all([
      one.webhook(first.id),
      other.webhook(second.id),
      other.ask(purchaseId, shopper, '?returned=1'),
      one.ask(purchaseId, shopper, '?returned=1'),
    ])
    await expect.poll(() => heard(purchaseId).length).toBe(2)
    const states = heard(purchaseId).toSorted()
    expect(states).toEqual(['duplicate', 'matched'])
    expect(await other.ask(purchaseId, shopper)).toMatchObject({ status: 'complete', state: 'matched' })
    right++
  }
  await Promise.all([one.companion.reconcile(), other.companion.reconcile()])
  expect(one.heard.length + other.heard.length).toBe(2 * runs)
  recordFigure(
    `two payments at once on two instances, ${name}: one matched, one duplicate`,
    `${right} of ${runs}`,
  )
})
