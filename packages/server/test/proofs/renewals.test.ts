/** A subscription over two years of the service's clock: each charge is a renewal, and is delivered once. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { memoryStore } from '../../src/index.ts'
import { type Service, startService } from '../support/service.ts'
import { closeInstances, type Instance, openInstance } from '../support/shop.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterEach(closeInstances)
afterAll(() => service.close())

const DAY_MS = 86_400_000
const MONTHS = proofRuns(24, 5)

interface Listed {
  id: string
}

interface Club {
  shop: Instance
  /** Lets time pass for the service and the shop alike. */
  pass(ms: number): Promise<void>
}

async function openClub(carry: 'return_url' | 'custom_id'): Promise<Club> {
  let time = Date.now()
  const now = (): number => time
  const shop = await openInstance(service.client({ now }), memoryStore({ now }), {
    carry,
    now,
    createPurchase: () => ({ params: { product_id: 'club-monthly', quote: 'USD', quote_amount: '4.99' } }),
  })
  return {
    shop,
    async pass(ms) {
      await service.control('POST', '/clock', { advanceSeconds: ms / 1_000 })
      time += ms
    },
  }
}

test.each([
  ['blank', 'return_url'],
  ['copied', 'return_url'],
  ['blank', 'custom_id'],
  ['copied', 'custom_id'],
] as const)('renewals with return addresses %s, found by %s', async (renewalAddresses, carry) => {
  await service.control('PATCH', '/switches', { renewalAddresses })
  const { shop, pass } = await openClub(carry)
  const tell = async (): Promise<void> => {
    const orders = (await service.control('GET', '/orders')) as Listed[]
    // Webhooks come more than once.
    for (const { id } of [...orders, ...orders]) expect(await shop.webhook(id)).toBe(202)
    await expect.poll(() => shop.heard.length).toBeGreaterThanOrEqual(orders.length)
  }
  await service.buy((await shop.begin({ id: 'ada' })).params)
  await tell()
  for (let month = 0; month < MONTHS; month++) {
    await pass(30.6 * DAY_MS)
    await tell()
  }
  await shop.companion.reconcile()
  const states = shop.heard.map(({ purchase }) => purchase.state)
  const ids = shop.heard.map(({ order }) => order.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(states).toEqual(['matched', ...Array.from({ length: MONTHS }, () => 'renewal')])
  recordFigure(
    `renewals over two years that are renewals, addresses ${renewalAddresses}, by ${carry}`,
    `${states.filter((state) => state === 'renewal').length} of ${MONTHS}`,
  )
})

test.each([
  ['return_url', () => 'ada'],
  ['custom_id', (purchase: string) => purchase],
] as const)(
  'a charge that no webhook told of is found by the custom_id of its order, with carry %s',
  async (carry, idOf) => {
    const { shop, pass } = await openClub(carry)
    const begun = await shop.begin({ id: 'ada' })
    const order = await service.buy(begun.params)
    await shop.companion.look({ order_id: order.id })
    await expect.poll(() => shop.heard.length).toBe(1)
    await pass(31 * DAY_MS)
    // What is settled is not looked for: subscriptions.md says who has to ask.
    await shop.companion.reconcile()
    expect(shop.heard.length).toBe(1)
    await shop.companion.look({ custom_id: idOf(begun.purchaseId) })
    await expect.poll(() => shop.heard.map(({ purchase }) => purchase.state)).toEqual(['matched', 'renewal'])
  },
)
