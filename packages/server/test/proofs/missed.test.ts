// Promise: fulfilment/missed
/** Without webhooks, every paid order is delivered within one reconciliation interval, each charge within a day, and with few reads. */
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { RECONCILE_EVERY_MS } from '../../src/fulfilment/reconcile.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import { get } from '../support/companion.ts'
import { inParallel, numbers } from '../support/load.ts'
import { type Instance, openInstance, withoutReconciling } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

// Promise: token/refused
test.each(['status', 'ok', 'okNested', 'text'])(
  'an order is found after another party has ended the token, and none is ended for an unknown order, where a refusal is %s',
  async (errorShape) => {
    await service.control('PATCH', '/switches', { errorShape, refreshInvalidates: true })
    let created = 0
    const client = service.client({
      fetch(input, init) {
        if (String(input).endsWith('/refresh/access_token')) created++
        return fetch(input, init)
      },
    })
    const shop = openInstance(client, withoutReconciling(memoryStore()))
    const { params, purchaseId } = await shop.begin('ada')
    await service.buy(params)
    await service.client().accessTokens.create()
    expect(await shop.ask(purchaseId, 'ada', '?returned=1')).toMatchObject({ status: 'complete' })
    expect(created).toBe(2)
    await service.control('POST', '/faults', {
      operation: 'getOrderHistory',
      kind: 'status',
      status: 404,
      count: 1,
    })
    const { purchaseId: unpaid } = await shop.begin('bob')
    await shop.ask(unpaid, 'bob', '?returned=1')
    expect(created).toBe(2)
  },
)

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
  // The schedule finds nothing while purchases are made.
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
  await expect.poll(() => before.received.length, { timeout: 60_000 }).toBe(settledCount)
  await before.companion.close()

  asked.clear()
  askedFor.clear()
  const after = openInstance(client, store)
  const delivered = (): number =>
    new Set(
      after.received.filter(({ purchase }) => purchase.state === 'matched').map(({ order }) => order.id),
    ).size
  const started = performance.now()
  // Any request starts the schedules of a process.
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
  // One read of each shopper's orders, and one of each order. The first request also read those of one shopper, with a token.
  expect([...asked.values()].reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(2 * count + 2)
})

// Promise: fulfilment/lost-renewals
const HOUR_MS = 3_600_000

interface Club {
  shop: Instance
  now(): number
  /** Advances the clock of the service and the shop. */
  pass(ms: number): Promise<void>
  /** Runs what each instance schedules every five minutes. */
  reconcile(): Promise<void>
  /** The paid orders that `onOrder` was called with, once per call. */
  delivered(): { id: string; state: string }[]
}

/** Three instances of a shop on one store, to which the service sends no webhook. */
function openClub(): Club {
  let passed = 0
  // It advances like the service's clock: otherwise a token expires there first, and that read fails.
  const now = (): number => Date.now() + passed
  const store = memoryStore({ now })
  const open = (): Instance => openInstance(service.client(), store, { now })
  const shop = open()
  const shops = [shop, open(), open()]
  return {
    shop,
    now,
    async pass(ms) {
      await service.control('POST', '/clock', { advanceSeconds: ms / 1_000 })
      passed += ms
    },
    reconcile: async () => void (await Promise.all(shops.map(({ companion }) => companion.reconcile()))),
    delivered: () =>
      shops
        .flatMap(({ received }) => received)
        .filter(({ order }) => order.type === 'order_complete')
        .map(({ order, purchase }) => ({ id: order.id, state: purchase.state })),
  }
}

test.each<[string, (club: Club, purchaseId: string) => Promise<unknown>]>([
  ['the shopper returns', ({ shop }, purchaseId) => shop.companion.fetch(get(`/return/${purchaseId}`))],
  [
    'an hour has passed',
    async ({ pass, reconcile }) => {
      await pass(HOUR_MS + 60_000)
      await reconcile()
    },
  ],
])('a second payment for a settled purchase is found when %s', async (_, trigger) => {
  const club = openClub()
  const { purchaseId, params } = await club.shop.begin('ada-twice')
  const first = await service.buy(params)
  await club.shop.companion.syncOrder({ order_id: first.id })
  await expect.poll(club.delivered).toEqual([{ id: first.id, state: 'matched' }])
  const second = await service.buy(params)
  await trigger(club, purchaseId)
  const both = [
    { id: first.id, state: 'matched' },
    { id: second.id, state: 'duplicate' },
  ]
  await expect.poll(club.delivered, { timeout: 10_000 }).toEqual(both)
})

test('a payment that takes more than a day is delivered once, within a day of its end', async () => {
  const { shop, pass, reconcile, delivered } = openClub()
  const { params } = await shop.begin('ada-slow')
  await reconcile()
  await service.control('PATCH', '/switches', { paymentMs: 2_000 })
  const bought = service.buy(params)
  // The page is open until the payment has begun.
  await expect.poll(() => shop.orders('ada-slow')).toMatchObject([{ type: 'payment_started' }])
  await expect.poll(() => shop.received.length, { timeout: 10_000 }).toBe(1)
  await pass(26 * HOUR_MS)
  await reconcile()
  const { id } = await bought
  for (let hour = 0; hour < 24; hour += 6) {
    await pass(6 * HOUR_MS)
    await reconcile()
  }
  await expect.poll(delivered, { timeout: 10_000 }).toEqual([{ id, state: 'matched' }])
})

/** The date of the next charge. */
async function nextCharge(product_id: string): Promise<number> {
  const subscriptions = await service.client().subscriptions.list({ product_id })
  return Math.min(...subscriptions.map(({ next_paid_date }) => next_paid_date?.getTime() ?? 0))
}

test.each([
  { interval: 'daily', subscribers: 1, charges: proofRuns(730, 4) },
  { interval: 'monthly', subscribers: proofRuns(5, 2), charges: proofRuns(24, 3) },
  { interval: 'yearly', subscribers: proofRuns(50, 2), charges: 2 },
])(
  'a $interval renewal whose webhook is lost is delivered once, within a day of its date',
  { timeout: 3_600_000 },
  async ({ interval, subscribers, charges }) => {
    const product_id = `club-${interval}`
    const { shop, now, pass, reconcile, delivered } = openClub()
    // Two years of daily charges exceed the sandbox's limit for a new user.
    const rich = { crypto: '20000.00', digital_goods: '50000.00' }
    await service.control('PUT', '/limits', { low: rich, full: rich })
    for (let number = 0; number < subscribers; number++) {
      await service.buy((await shop.begin(`shopper-${number}`, { product_id })).params)
    }
    await pass(60_000)
    await reconcile()
    await expect.poll(() => delivered().length, { timeout: 60_000 }).toBe(subscribers)

    for (let charge = 1; charge <= charges; charge++) {
      await pass((await nextCharge(product_id)) - HOUR_MS - now())
      // Until 21 hours after the charge.
      for (let step = 0; step < 4; step++) {
        await pass(5.5 * HOUR_MS)
        await reconcile()
      }
      await expect.poll(() => delivered().length, { timeout: 60_000 }).toBe(subscribers * (charge + 1))
    }
    const states = delivered().map(({ state }) => state)
    expect(new Set(delivered().map(({ id }) => id)).size).toBe(states.length)
    expect(states.filter((state) => state === 'matched').length).toBe(subscribers)
    expect(states.filter((state) => state === 'renewal').length).toBe(subscribers * charges)
    recordFigure(
      `${interval} renewals whose webhook was lost, found within a day by one of three instances and delivered once`,
      `${states.filter((state) => state === 'renewal').length} of ${subscribers * charges}`,
    )
  },
)
