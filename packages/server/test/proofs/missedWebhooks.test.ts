// Promise: fulfilment/missed
/** With webhooks off altogether, every paid order is delivered within one interval of reconciling, and nobody asks about purchases that are settled. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { RECONCILE_EVERY_MS } from '../../src/fulfilment/reconcile.ts'
import { memoryStore, type Order, type TokenGrant } from '../../src/index.ts'
import { companionOf, get, mount, post } from '../support/companion.ts'
import { inParallel, numbers } from '../support/load.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('every order is delivered without a webhook', { timeout: 900_000 }, async () => {
  const count = proofRuns(1_000, 20)
  const settledCount = count / 10
  const asked = new Map<string, number>()
  const askedFor = new Set<string>()
  const counted: typeof fetch = (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    for (const value of searchParams.values()) askedFor.add(value)
    return fetch(input, init)
  }
  const store = memoryStore()
  const { unsettled } = store.purchases
  // Nothing is found by the schedule while purchases are made.
  store.purchases.unsettled = async () => []
  const delivered = new Set<string>()
  const open = () =>
    companionOf(service.client({ fetch: counted }), {
      store,
      url: mount,
      rateLimit: { perShopper: 1_000_000, perAddress: 1_000_000 },
      createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
      onOrder: ({ order, purchase }) => {
        if (order.type === 'order_complete' && purchase.state === 'matched') delivered.add(order.id)
      },
    })
  const before = open()
  const settled: Order[] = []
  const missed: Order[] = []
  await inParallel(numbers(count + settledCount), 8, async (index) => {
    const answer = await before.fetch(post('/token', {}, `shopper-${index}`))
    const { params } = (await answer.json()) as TokenGrant
    const order = await service.buy(params)
    if (index >= settledCount) return void missed.push(order)
    await before.syncOrder({ order_id: order.id })
    settled.push(order)
  })
  await expect.poll(() => delivered.size, { timeout: 60_000 }).toBe(settledCount)
  await before.close()

  store.purchases.unsettled = unsettled
  asked.clear()
  askedFor.clear()
  const after = open()
  const started = performance.now()
  // Any request starts a process's schedules.
  await after.fetch(get('/orders', 'health'))
  await expect
    .poll(() => delivered.size, { timeout: 2 * RECONCILE_EVERY_MS, interval: 50 })
    .toBe(count + settledCount)
  const seconds = (performance.now() - started) / 1_000
  await after.close()
  const forSettled = settled.filter(({ id, custom_id }) => askedFor.has(id) || askedFor.has(custom_id ?? ''))
  recordFigure(
    'delivered with webhooks off',
    `${delivered.size - settledCount} of ${missed.length} in ${Math.round(seconds)} s; calls to the service: ` +
      `${[...asked].map(([path, times]) => `${times} ${path}`).join(', ')}; for ${settledCount} settled purchases: ${forSettled.length}`,
  )
  expect(forSettled).toEqual([])
  expect(seconds * 1_000).toBeLessThan(RECONCILE_EVERY_MS)
  // One read of each shopper's orders, and one of each order. The first request read somebody's, too, with a token.
  expect([...asked.values()].reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(2 * count + 2)
})
