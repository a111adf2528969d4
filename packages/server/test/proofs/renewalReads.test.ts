// Promise: fulfilment/renewal-reads
/** How often live subscriptions are read: with webhooks, and when all of them are lost. The service's answers and all time are simulated. */
import { expect, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { createPurchaseClient, memoryStore, type Store } from '../../src/index.ts'
import { companionOf } from '../support/companion.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { purchaseOf } from '../support/purchases.ts'
import { settings } from '../support/settings.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SUBSCRIPTIONS = proofRuns(10_000, 50)
/** The time to read ten thousand at ten a second. */
const HOURS = proofRuns(4, 2)
const numbers = Array.from({ length: SUBSCRIPTIONS }, (_, number) => number)

/** A service with one monthly subscription per shopper, all started at once, or with none, which it lists or refuses; counts its calls. */
function serviceOf(begunAt: number, subscriptions: 'monthly' | 'none' | 'refused' = 'monthly') {
  let charges = 0
  const asked = { order_history: 0, user_subscription: 0, data: 0 }
  const dateOf = (month: number): string => new Date(begunAt + month * 30 * DAY_MS).toISOString()
  const orderOf = (id: string): object => {
    const [, number, charge] = /^order-(\d+)-(\d+)$/.exec(id) ?? []
    const name = `shopper-${number}`
    const sold = {
      product_id: 'club',
      quote: 'USD',
      quote_amount: '4.99',
      base: '',
      base_amount: '',
      address: '',
    }
    const blank = { redirect_url: '', fail_redirect_url: '', redirect_page: '' }
    return {
      id: `order-${number}-${charge}`,
      type: 'order_complete',
      custom_id: name,
      user_id: name,
      ...sold,
      ...blank,
    }
  }
  function answer(path: string, custom_id: string, order_id: string): unknown {
    if (path.endsWith('/access_token')) return { accessToken: 'token' }
    if (path.endsWith('/expire_date')) return { expire_date: new Date(Date.now() + 7 * DAY_MS).toISOString() }
    const number = custom_id.replace('shopper-', '')
    if (path.endsWith('/order_history')) {
      asked.order_history++
      return Array.from({ length: charges + 1 }, (_, charge) => orderOf(`order-${number}-${charge}`))
    }
    if (path.endsWith('/data')) {
      asked.data++
      return orderOf(order_id)
    }
    asked.user_subscription++
    if (subscriptions === 'refused') return null
    if (subscriptions === 'none') return []
    const dates = {
      start_date: dateOf(0),
      last_paid_date: dateOf(charges),
      next_paid_date: dateOf(charges + 1),
    }
    const ids = { user_id: custom_id, custom_id, product_id: 'club' }
    return { ...ids, ...dates, interval_time: 'monthly', next_paid: true, status: 1 }
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, string>) : {}
    const custom_id = searchParams.get('custom_id') ?? body.custom_id ?? body.user_id ?? ''
    const answered = answer(pathname, custom_id, body.order_id ?? '')
    const refusal = { error: true, message: 'There is no such subscription.' }
    return answered === null ? Response.json(refusal, { status: 404 }) : Response.json(answered)
  }
  return {
    fetch,
    charge: () => void charges++,
    /** Reads since the last call of this function. */
    takeReads(): number {
      const reads = asked.order_history + asked.user_subscription + asked.data
      Object.assign(asked, { order_history: 0, user_subscription: 0, data: 0 })
      return reads
    },
  }
}

/** Purchases just paid and delivered, one per shopper. */
async function settleAll(store: Store, begunAt: number): Promise<void> {
  for (const number of numbers) {
    const order = {
      id: `order-${number}-0`,
      type: 'order_complete',
      state: 'matched',
      summary: '{}',
    } as const
    const params = { product_id: 'club', quote: 'USD', quote_amount: '4.99' }
    const purchase = purchaseOf({
      shopper: { customId: `shopper-${number}` },
      params,
      begunAt,
      validUntil: begunAt + DAY_MS,
    })
    await store.purchases.begin(purchase)
    await store.purchases.claim(purchase.id, order.id, {
      productId: params.product_id,
      payer: `shopper-${number}`,
      checkAt: begunAt + HOUR_MS,
    })
    await store.purchases.record(purchase.id, order)
    await store.handled.add({ orderId: order.id, type: order.type, purchaseId: purchase.id })
  }
}

test('live subscriptions and their orders are read once when they begin, never while webhooks arrive, and five times for a missed charge', {
  timeout: 1_800_000,
}, async () => {
  fakeTimers()
  const begunAt = Date.now()
  const service = serviceOf(begunAt)
  const store = memoryStore()
  await settleAll(store, begunAt)
  const renewals = new Map<string, number>()
  const companion = companionOf(createPurchaseClient({ ...settings, fetch: service.fetch }), {
    store,
    onOrder: ({ order, purchase }) => {
      if (purchase.state === 'renewal') renewals.set(order.id, (renewals.get(order.id) ?? 0) + 1)
    },
  })
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

  /** Skips the days before, so that due checks run in the last hours. */
  async function passTo(month: number): Promise<void> {
    vi.setSystemTime(begunAt + month * 30 * DAY_MS - HOURS * HOUR_MS)
    await pass(HOURS * HOUR_MS)
  }

  // Any call starts the schedule, which then runs by itself.
  await companion.reconcile()
  await pass(HOURS * HOUR_MS)
  const first = service.takeReads()
  expect(first).toBe(2 * SUBSCRIPTIONS)
  await passTo(1)
  expect(service.takeReads()).toBe(0)

  service.charge()
  for (const number of numbers) await companion.syncOrder({ order_id: `order-${number}-1` })
  await pass(HOUR_MS)
  const announced = service.takeReads()
  expect(renewals.size).toBe(SUBSCRIPTIONS)
  await passTo(2)
  expect(service.takeReads()).toBe(0)

  service.charge()
  let hours = 0
  for (; renewals.size < 2 * SUBSCRIPTIONS && hours < 24; hours++) await pass(HOUR_MS)
  const lost = service.takeReads()
  expect([...renewals.values()]).toEqual([...numbers, ...numbers].map(() => 1))
  expect(lost).toBeLessThanOrEqual(5 * SUBSCRIPTIONS)
  await passTo(3)
  expect(service.takeReads()).toBe(0)
  recordFigure(
    `reads of the service for ${SUBSCRIPTIONS} live subscriptions: when they begin; for the orders of a month's webhooks; by reconciling in that month; for a month whose webhooks were all lost`,
    `${first}; ${announced}; 0; ${lost}, all delivered within ${hours} hours of their date`,
  )
})

/** Settled purchases of one product, until each has been checked once. `runs`: how many runs that took. */
async function firstChecks(shows: 'none' | 'refused') {
  fakeTimers()
  const begunAt = Date.now()
  const service = serviceOf(begunAt, shows)
  const store = memoryStore()
  await settleAll(store, begunAt)
  const companion = companionOf(createPurchaseClient({ ...settings, fetch: service.fetch }), { store })
  await companion.reconcile()
  // Scheduled runs follow each other every ten minutes, and the first purchase is due after an hour.
  const runs = Math.ceil(SUBSCRIPTIONS / 300)
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS + runs * 600_000)
  return { begunAt, service, runs }
}

test('a product without subscriptions is read once for all of its purchases', async () => {
  const { begunAt, service, runs } = await firstChecks('none')
  // Once by the shopper and once by the product in each run, which covers 300 purchases, and the orders of each.
  expect(service.takeReads()).toBe(2 * runs + SUBSCRIPTIONS)
  vi.setSystemTime(begunAt + 30 * DAY_MS)
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
  expect(service.takeReads()).toBe(0)
})

test('a product whose subscriptions the service refuses is read once for all of its purchases, and a day later for each of them', async () => {
  const { begunAt, service, runs } = await firstChecks('refused')
  expect(service.takeReads()).toBe(2 * runs + SUBSCRIPTIONS)
  await vi.advanceTimersByTimeAsync(DAY_MS)
  // Each once by the shopper and once by the product, and its orders.
  expect(service.takeReads()).toBe(3 * SUBSCRIPTIONS)
  vi.setSystemTime(begunAt + 30 * DAY_MS)
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
  expect(service.takeReads()).toBe(0)
})
