// Promise: companion/store-gone
/** The store's database goes away in the middle of business, and comes back. */
import { afterEach, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { type SharedStores, sharedStores } from '../support/shared.ts'
import { closeInstances, openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let stores: SharedStores | undefined
afterEach(async () => {
  await closeInstances()
  await stores?.end()
  stores = undefined
}, 200_000)

/** A promise, and what settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test.each(sharedStores)(
  'on %s: tokens are given all the same, and nothing is delivered twice or lost',
  async (name, on) => {
    stores = await on()
    const { open, takeAway, deliver, deliveries } = stores
    const [begun, go] = [gate(), gate()]
    const shop = await openInstance(service.client(), open(), {
      createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
      async onOrder({ order, purchase, complete }) {
        if (order.custom_id === 'in-the-middle') {
          begun.open()
          await go.opened
        }
        await deliver(complete, order.id, purchase.state)
      },
    })
    const inTheMiddle = await service.buy((await shop.begin({ id: 'in-the-middle' })).params)
    const before = { id: 'before' }
    const known = await shop.begin(before)
    expect(await shop.webhook(inTheMiddle.id)).toBe(202)
    await begun.opened

    const bringBack = await takeAway()
    go.open()
    const paidMeanwhile = await service.buy(known.params)
    expect(await shop.webhook(paidMeanwhile.id)).toBeGreaterThanOrEqual(500)
    const meanwhile = { id: 'meanwhile' }
    const unknown = await shop.begin(meanwhile)
    expect(unknown.accessToken).toMatch(/\S/)
    const beganMeanwhile = await service.buy(unknown.params)
    expect(await shop.ask(unknown.purchaseId, meanwhile)).toMatchObject({ status: 'none', order: null })
    expect((await shop.request(`/return/${unknown.purchaseId}`)).status).toBe(200)

    await bringBack()
    // The service tries again, more than once.
    for (const { id } of [paidMeanwhile, beganMeanwhile, paidMeanwhile, inTheMiddle]) {
      await expect.poll(() => shop.webhook(id)).toBe(202)
    }
    // A row that was asked for in the last seconds before the store came back is written then: its order matches. Else it is of no purchase.
    const third = (delivery: string): string =>
      delivery.startsWith(beganMeanwhile.id) ? delivery.replace(/ (none|matched)$/, '') : delivery
    const delivered = async (): Promise<string[]> => (await deliveries()).map(third).sort()
    const expected = [`${inTheMiddle.id} matched`, `${paidMeanwhile.id} matched`, beganMeanwhile.id].sort()
    await expect.poll(delivered, { timeout: 50_000 }).toEqual(expected)
    expect(await shop.ask(known.purchaseId, before)).toMatchObject({ status: 'complete', state: 'matched' })
    await shop.webhook(inTheMiddle.id)
    await shop.companion.reconcile()
    expect(await delivered()).toEqual(expected)
    recordFigure(
      `orders delivered twice or lost while the store was away, ${name}`,
      `0 of ${expected.length}`,
    )
  },
  300_000,
)
