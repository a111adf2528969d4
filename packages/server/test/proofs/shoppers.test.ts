// Promise: companion/shoppers
/** Concurrent purchases of many shoppers: guests who sign in, two tabs, two instances. Nothing is misattributed, and nothing is lost. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { inParallel, numbers } from '../support/load.ts'
import { type Instance, openInstance } from '../support/shop.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

const PURCHASES_EACH = 4

interface Sale {
  /** The merchant's reference, which onOrder must receive. */
  reference: string
  purchaseId: string
  orderId: string
}

const signedIn = (number: number): string => `shopper-${number}; formerly=guest-${number}`

/** Each shopper buys twice as a guest, signs in, and buys twice more; always in two tabs, which use different instances. */
async function shop(number: number, instances: readonly [Instance, Instance]): Promise<Sale[]> {
  const sales: Sale[] = []
  for (const visitor of [`guest-${number}`, signedIn(number)]) {
    const tabs = [instances, instances.toReversed()].map(async ([here, there], tab) => {
      const reference = `${visitor.split(';')[0]}, tab ${tab}`
      const { purchaseId, params } = await (here as Instance).begin(visitor, { sale: reference })
      const { id: orderId } = await service.buy(params)
      await there?.webhook(orderId)
      return { reference, purchaseId, orderId }
    })
    sales.push(...(await Promise.all(tabs)))
  }
  for (const { purchaseId, orderId } of sales) {
    await expect
      .poll(() => instances[0].ask(purchaseId, signedIn(number)))
      .toMatchObject({ status: 'complete', state: 'matched', order: { id: orderId } })
    expect(await instances[1].ask(purchaseId, signedIn(number + 1))).toMatchObject({
      status: 'none',
      order: null,
    })
  }
  // So many shoppers at once are told to wait: the service is read ten times a second.
  const listed = (): Promise<string[] | null> =>
    instances[1].orders(signedIn(number)).then(
      (orders) => orders.map(({ id }) => id).sort(),
      () => null,
    )
  await expect
    .poll(listed, { timeout: 30_000, interval: 3_000 })
    .toEqual(sales.map(({ orderId }) => orderId).sort())
  return sales
}

test('purchases of many shoppers at once, on two instances', async () => {
  const instance = (): Instance =>
    openInstance(service.client(), sqliteStore(join(folder, 'shop.sqlite')), {
      createPurchase: ({ params }) => ({
        params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
        reference: params.sale ?? 'nothing',
      }),
    })
  const instances: [Instance, Instance] = [instance(), instance()]
  const shoppers = proofRuns(250, 6)
  const sales: Sale[] = []
  await inParallel(numbers(shoppers), 10, async (number) => {
    sales.push(...(await shop(2 * number, instances)))
  })
  const all = () => instances.flatMap(({ received }) => received)
  await expect.poll(() => all().length).toBe(sales.length)
  const crossed = all().filter(({ order, purchase }) => {
    const sale = sales.find(({ orderId }) => orderId === order.id)
    return (
      sale?.reference !== purchase.reference ||
      sale?.purchaseId !== purchase.id ||
      !purchase.reference?.startsWith(`${order.custom_id},`)
    )
  })
  const matched = all().flatMap(({ order, purchase }) => (purchase.state === 'matched' ? [order.id] : []))
  const lost = sales.filter(({ orderId }) => matched.filter((id) => id === orderId).length !== 1)
  expect([sales.length, crossed, lost]).toEqual([shoppers * PURCHASES_EACH, [], []])
  recordFigure(
    'purchases of many shoppers at once, with guests who sign in and two tabs, on two instances',
    `${sales.length}: ${crossed.length} crossed, ${lost.length} lost`,
  )
})
