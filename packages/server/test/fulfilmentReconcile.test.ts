/** Orders that nobody told of are found, shopper by shopper, and jobs of killed processes come back. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { RECONCILE_EVERY_MS } from '../src/fulfilment/reconcile.ts'
import { keyOf } from '../src/fulfilment/webhook.ts'
import { type Companion, memoryStore, type Order, type Store } from '../src/index.ts'
import { returnAddress } from '../src/purchase/carrier.ts'
import type { OnOrder, Purchase } from '../src/purchase/purchase.ts'
import { sqliteStore } from '../src/stores/sqlite.ts'
import { companionOf, get } from './support/companion.ts'
import { fulfilmentOf, testClock } from './support/fulfilment.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

const HOUR = 3_600_000

let ids = 0
function purchaseOf(customId: string, changes: Partial<Purchase> = {}): Purchase {
  const begunAt = changes.begunAt ?? Date.now()
  return {
    id: `purchase-${++ids}`.padEnd(22, '0'),
    shopper: { customId },
    formerly: [],
    params: { product_id: 'gold-100' },
    open: [],
    chosen: {},
    decidedBy: 'page',
    reference: null,
    returnUrl: null,
    failReturnUrl: null,
    surface: 'iframe',
    preload: false,
    openedBy: 'shopper',
    redirectPage: 'self',
    hostOrigin: null,
    carrier: 'return_url',
    locale: null,
    url: 'https://shop.example/api/purchase-widget',
    begunAt,
    validUntil: begunAt + 24 * HOUR,
    ...changes,
  }
}

const buy = (custom_id: string): Promise<Order> => service.buy({ product_id: 'gold-100', custom_id })

/** Another instance has: or the schedule looks too, a second after the start. */
const hasJustLooked = (store: Store): Promise<void> =>
  store.set('reconcile:hour', String(Date.now()), RECONCILE_EVERY_MS)

test('reads the orders of shoppers with unsettled purchases, once for each, and of nobody else', async () => {
  const heard: string[] = []
  const store = memoryStore()
  const missed = [await buy('ada'), await buy('bob')]
  await buy('somebody-else')
  const rows = [purchaseOf('ada'), purchaseOf('ada'), purchaseOf('bob'), purchaseOf('old')]
  rows[3] = purchaseOf('old', { begunAt: Date.now() - 25 * HOUR, validUntil: Date.now() + HOUR })
  for (const row of rows) await store.purchases.begin(row)

  const fulfilment = fulfilmentOf(service.client(), {
    store,
    onOrder: ({ order }) => void heard.push(order.id),
  })
  await hasJustLooked(store)
  await fulfilment.reconcile()
  expect(heard.sort()).toEqual(missed.map(({ id }) => id).sort())
  expect(await service.count('getOrderHistory')).toBe(2)
  await fulfilment.reconcile()
  expect(heard).toHaveLength(2)
  await fulfilment.close()
})

test('asks by the purchase where its id is the custom id', async () => {
  const onOrder = vi.fn<OnOrder>()
  const store = memoryStore()
  const purchase = purchaseOf('ada', { carrier: 'custom_id' })
  await store.purchases.begin(purchase)
  await buy(`purchase_${purchase.id}`)
  const fulfilment = fulfilmentOf(service.client(), { store, onOrder })
  await fulfilment.reconcile()
  expect(onOrder).toHaveBeenCalledOnce()
  await fulfilment.close()
})

test('runs by itself soon after the first use', async () => {
  const onOrder = vi.fn<OnOrder>()
  const store = memoryStore()
  await store.purchases.begin(purchaseOf('ada'))
  await buy('ada')
  const fulfilment = fulfilmentOf(service.client(), { store, onOrder })
  fulfilment.start()
  await vi.waitFor(() => expect(onOrder).toHaveBeenCalledOnce(), { timeout: 30_000 })
  await fulfilment.close()
})

test('looks again after a restart, also where the process before has just looked', async () => {
  const onOrder = vi.fn<OnOrder>()
  const store = memoryStore()
  const before = fulfilmentOf(service.client(), { store, onOrder })
  before.start()
  await expect.poll(() => store.get('reconcile:hour')).not.toBeNull()
  await before.close()

  await store.purchases.begin(purchaseOf('ada'))
  await buy('ada')
  const after = fulfilmentOf(service.client(), { store, onOrder })
  after.start()
  await vi.waitFor(() => expect(onOrder).toHaveBeenCalledOnce(), { timeout: 30_000 })
  await after.close()
})

test('leaves it to an instance that has looked since this one was started', async () => {
  const onOrder = vi.fn<OnOrder>()
  const store = memoryStore()
  const idle = fulfilmentOf(service.client(), { store, onOrder })
  const busy = fulfilmentOf(service.client(), { store, onOrder })
  busy.start()
  await expect.poll(() => store.get('reconcile:hour')).not.toBeNull()
  const looks = await service.count('getOrderHistory')
  await store.purchases.begin(purchaseOf('ada'))
  await buy('ada')
  idle.start()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await service.count('getOrderHistory')).toBe(looks)
  expect(onOrder).not.toHaveBeenCalled()
  await Promise.all([idle.close(), busy.close()])
})

test.each([
  ['memory', memoryStore],
  ['SQLite', (options: { now: () => number }) => sqliteStore(':memory:', options)],
])(
  'a clock that is set back by an hour stops neither reconciliation nor a shopper, %s',
  async (_, storeOf) => {
    let time = Date.now()
    const now = (): number => time
    const store = storeOf({ now })
    const heard: string[] = []
    const open = () =>
      companionOf(service.client(), {
        store: { ...store, close: async () => {} },
        now,
        rateLimit: { perShopper: 1 },
        onOrder: ({ order }) => void heard.push(order.id),
      })
    const statusOf = async (companion: Companion): Promise<number> =>
      (await companion.fetch(get('/subscriptions', 'ada'))).status
    const before = open()
    expect([await statusOf(before), await statusOf(before)]).toEqual([200, 429])
    const running = async (): Promise<unknown> => (await store.get('reconcile:running'))?.value
    await expect.poll(running, { timeout: 30_000 }).toBe('no')
    const begun = purchaseOf('ada', { begunAt: time - 2 * HOUR, validUntil: time + HOUR })
    await store.purchases.begin(begun)
    const redirect_url = returnAddress(begun.url, begun.id, 'success')
    const { id } = await service.buy({ product_id: 'gold-100', custom_id: 'ada', redirect_url })
    // Another one was killed as it looked.
    await store.set('reconcile:running', 'yes', 15_000)

    time -= HOUR
    expect(await statusOf(before)).toBe(200)
    await before.close()
    await open().fetch(get('/subscriptions', 'bob'))
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual([id])
  },
)

test('runs in one instance at a time', async () => {
  const store = memoryStore()
  let running = 0
  let atOnce = 0
  const shared: Store = {
    ...store,
    purchases: {
      ...store.purchases,
      unsettled: async () => {
        atOnce = Math.max(atOnce, ++running)
        await new Promise((resolve) => setTimeout(resolve, 50))
        running--
        return []
      },
    },
  }
  const instances = Array.from({ length: 4 }, () =>
    fulfilmentOf(service.client(), { store: shared, onOrder: vi.fn() }),
  )
  await Promise.all(instances.map((one) => one.reconcile()))
  expect(atOnce).toBe(1)
  await Promise.all(instances.map((one) => one.close()))
})

test('looks at what has come meanwhile, when it is asked to while it looks', async () => {
  const store = memoryStore()
  await store.purchases.begin(purchaseOf('ada', { begunAt: Date.now() - HOUR }))
  const heard: string[] = []
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let reads = 0
  const client = service.client({
    async fetch(input, init) {
      const answer = await fetch(input, init)
      if (String(input).includes('order_history') && ++reads === 1) await held
      return answer
    },
  })
  const fulfilment = fulfilmentOf(client, { store, onOrder: ({ order }) => void heard.push(order.id) })
  await hasJustLooked(store)
  const first = fulfilment.reconcile()
  await expect.poll(() => reads).toBe(1)
  const { id } = await buy('ada')
  const second = fulfilment.reconcile()
  release()
  await Promise.all([first, second])
  expect(heard).toEqual([id])
  await fulfilment.close()
})

test('goes on with the next shopper when one cannot be read', async () => {
  const heard: string[] = []
  const errors: unknown[] = []
  const store = memoryStore()
  // The newest is read first.
  await store.purchases.begin(purchaseOf('ada'))
  await store.purchases.begin(purchaseOf('bob', { begunAt: Date.now() - HOUR / 2 }))
  await buy('ada')
  const bobs = await buy('bob')
  await service.control('POST', '/faults', {
    operation: 'getOrderHistory',
    kind: 'status',
    status: 500,
    count: 1,
  })
  const fulfilment = fulfilmentOf(service.client({ maxRetries: 0 }), {
    store,
    onOrder: ({ order }) => void heard.push(order.id),
    onError: (error) => errors.push(error),
  })
  await hasJustLooked(store)
  await fulfilment.reconcile()
  expect(heard).toEqual([bobs.id])
  expect(errors).toHaveLength(1)
  await fulfilment.close()
})

test('what a killed process had taken comes back', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const onOrder = vi.fn<OnOrder>()
  const { id } = await buy('ada')
  await store.jobs.add(keyOf({ order_id: id }), 'trusted')
  expect(await store.jobs.claim('trusted', 10, 90_000)).toHaveLength(1)

  const fulfilment = fulfilmentOf(service.client(), { store, onOrder, now: clock.now })
  fulfilment.start()
  await fulfilment.idle()
  expect(onOrder).not.toHaveBeenCalled()
  clock.advance(90_001)
  await vi.waitFor(() => expect(onOrder).toHaveBeenCalledOnce(), { timeout: 30_000 })
  await fulfilment.close()
})
