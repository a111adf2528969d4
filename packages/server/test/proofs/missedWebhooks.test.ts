// Promise: fulfilment/missed
/** With webhooks off altogether, every paid order is delivered within one interval of reconciling, and nobody asks about purchases that are settled. */
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { RECONCILE_EVERY_MS } from '../../src/fulfilment/reconcile.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import { inParallel, numbers } from '../support/load.ts'
import { openInstance, withoutReconciling } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

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
  const client = service.client({ fetch: counted })
  const store = memoryStore()
  // Nothing is found by the schedule while purchases are made.
  const before = openInstance(client, withoutReconciling(store))
  const settled: Order[] = []
  const missed: Order[] = []
  await inParallel(numbers(count + settledCount), 8, async (index) => {
    const { params } = await before.begin(`shopper-${index}`)
    const order = await service.buy(params)
    if (index >= settledCount) return void missed.push(order)
    await before.companion.syncOrder({ order_id: order.id })
    settled.push(order)
  })
  await expect.poll(() => before.heard.length, { timeout: 60_000 }).toBe(settledCount)
  await before.companion.close()

  asked.clear()
  askedFor.clear()
  const after = openInstance(client, store)
  const delivered = (): number =>
    new Set(after.heard.filter(({ purchase }) => purchase.state === 'matched').map(({ order }) => order.id))
      .size
  const started = performance.now()
  // Any request starts a process's schedules.
  await after.orders('health')
  await expect.poll(delivered, { timeout: 2 * RECONCILE_EVERY_MS, interval: 50 }).toBe(count)
  const seconds = (performance.now() - started) / 1_000
  await after.companion.close()
  const forSettled = settled.filter(({ id, custom_id }) => askedFor.has(id) || askedFor.has(custom_id ?? ''))
  recordFigure(
    'delivered with webhooks off',
    `${delivered()} of ${missed.length} in ${Math.round(seconds)} s; calls to the service: ` +
      `${[...asked].map(([path, times]) => `${times} ${path}`).join(', ')}; for ${settledCount} settled purchases: ${forSettled.length}`,
  )
  expect(forSettled).toEqual([])
  expect(seconds * 1_000).toBeLessThan(RECONCILE_EVERY_MS)
  // One read of each shopper's orders, and one of each order. The first request read somebody's, too, with a token.
  expect([...asked.values()].reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(2 * count + 2)
})
