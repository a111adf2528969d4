// Promise: companion/shoppers
/** Many purchases of many shoppers at once: guests who sign in, two tabs, two instances. Nothing crosses, and nothing is lost. */
import { afterEach, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type SharedStores, sharedStores } from '../support/shared.ts'
import { closeInstances, type Instance, openInstance, type Visitor } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let stores: SharedStores | undefined
afterEach(async () => {
  await closeInstances()
  await stores?.end()
  stores = undefined
}, 200_000)

const TABS = 2
const PURCHASES_EACH = 4
const AT_ONCE = 10

interface Sale {
  /** What the merchant calls it, and what onOrder must say. */
  reference: string
  purchaseId: string
  orderId: string
}

/** Each shopper buys twice as a guest, signs in, and buys twice more; always in two tabs, which are with different instances. */
async function shop(number: number, instances: readonly [Instance, Instance]): Promise<Sale[]> {
  const guest: Visitor = { id: `guest-${number}` }
  const signedIn: Visitor = { id: `shopper-${number}`, formerly: [guest.id] }
  const sales: Sale[] = []
  for (const visitor of [guest, signedIn]) {
    const tabs = Array.from({ length: TABS }, async (_, tab) => {
      const [here, there] = tab % 2 ? instances : [instances[1], instances[0]]
      const reference = `${visitor.id}, tab ${tab}`
      const { purchaseId, params } = await here.begin(visitor, { sale: reference })
      const { id: orderId } = await service.buy(params)
      await there.webhook(orderId)
      return { reference, purchaseId, orderId }
    })
    sales.push(...(await Promise.all(tabs)))
  }
  const another: Visitor = { id: `shopper-${number + 1}`, formerly: [`guest-${number + 1}`] }
  for (const { purchaseId, orderId } of sales) {
    await expect
      .poll(() => instances[0].ask(purchaseId, signedIn))
      .toMatchObject({ status: 'complete', state: 'matched', order: { id: orderId } })
    expect(await instances[1].ask(purchaseId, another)).toMatchObject({ status: 'none', order: null })
  }
  const listed = await instances[1].orders(signedIn)
  expect(listed.map(({ id }) => id).sort()).toEqual(sales.map(({ orderId }) => orderId).sort())
  return sales
}

test.each(sharedStores.slice(0, 1))('purchases of many shoppers at once, on %s', async (_, on) => {
  stores = await on()
  const { open } = stores
  const instance = () =>
    openInstance(service.client(), open(), {
      createPurchase: ({ params }) => ({
        params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
        reference: params.sale ?? 'nothing',
      }),
    })
  const instances: [Instance, Instance] = [await instance(), await instance()]
  const shoppers = proofRuns(250, 6)
  const numbers = Array.from({ length: shoppers }, (_, number) => number).values()
  const sales: Sale[] = []
  const queue = async (): Promise<void> => {
    for (const number of numbers) sales.push(...(await shop(2 * number, instances)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, queue))

  const heard = instances.flatMap((one) => one.heard)
  await expect.poll(() => instances.flatMap((one) => one.heard).length).toBe(sales.length)
  const crossed = heard.filter(({ order, purchase }) => {
    const sale = sales.find(({ orderId }) => orderId === order.id)
    return (
      sale?.reference !== purchase.reference ||
      sale?.purchaseId !== purchase.id ||
      !purchase.reference?.startsWith(`${order.custom_id},`)
    )
  })
  const lost = sales.filter(
    ({ orderId }) =>
      instances
        .flatMap((one) => one.heard)
        .filter(({ order, purchase }) => order.id === orderId && purchase.state === 'matched').length !== 1,
  )
  expect([sales.length, crossed, lost]).toEqual([shoppers * PURCHASES_EACH, [], []])
  recordFigure(
    'purchases of many shoppers at once, with guests who sign in and two tabs, on two instances',
    `${sales.length}: ${crossed.length} crossed, ${lost.length} lost`,
  )
})
