// Promise: companion/routes
/** What the routes answer where the store, the service or the merchant's code does not do as it should. */
import { expect, test, vi } from 'vitest'
import {
  createPurchaseClient,
  type LaunchGrant,
  memoryStore,
  type Store,
  type TokenLease,
} from '../src/index.ts'
import { companionOf, get, mount, post } from './support/companion.ts'
import { settings } from './support/settings.ts'

const client = createPurchaseClient(settings)
test('POST /webhook: says so when the queue of unauthenticated callers is full, and a body without an order is received', async () => {
  const store = memoryStore()
  const full: Store = { ...store, jobs: { ...store.jobs, add: async () => false } }
  const companion = companionOf(client, { store: full, onOrder: () => {} })
  const refused = await companion.fetch(post('/webhook', { order_id: 'order-1' }))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.text()).toContain('too_many_requests')
  const ofNothing = await companion.fetch(post('/webhook', {}))
  expect([ofNothing.status, await ofNothing.json()]).toEqual([202, { received: true }])
})

const id = 'id-1-xxxxxxxxxxxxxxxxx'
const tokens = { get: async () => ({ accessToken: 'token', expiresAt: null }) } as TokenLease

test('GET /purchases/:id: a purchase that nobody has begun is not opened', async () => {
  const companion = companionOf(client)
  const answer = await companion.fetch(get(`/purchases/${id}?opened=1`, 'ada'))
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'none' })])
})

test('GET /purchases/:id: takes nobody for no session but who has none', async () => {
  const authorize = (): never => {
    throw new Error('the session store is away')
  }
  const broken = companionOf(client, { authorize, onError: () => {} })
  expect((await broken.fetch(get(`/purchases/${id}`, 'ada'))).status).toBe(500)
  const limited = companionOf(client, { rateLimit: { perShopper: 1 } })
  const statuses = [1, 2].map(async () => (await limited.fetch(get(`/purchases/${id}`, 'ada'))).status)
  expect(await Promise.all(statuses)).toEqual([200, 429])
})

test('GET /purchases/:id: calls without a session are counted by network, else by the beginning of the id', async () => {
  const companion = companionOf(client, { rateLimit: { perAddress: 2 } })
  const ask = async (purchase: string, address?: string): Promise<number> =>
    (await companion.fetch(get(`/purchases/${purchase}`), address === undefined ? {} : { address })).status
  const other = id.replace('1', '2')
  expect([await ask(id), await ask(other), await ask(id)]).toEqual([200, 200, 429])
  expect(await ask(id.replace('id', 'zz'))).toBe(200)
  const one = '203.0.113.1'
  expect([await ask(id, one), await ask('zz-other', one), await ask(id, one)]).toEqual([200, 200, 429])
  expect(await ask(id, '203.0.113.2')).toBe(200)
})

test('GET /return/:id: of a flood a hundred purchases are read at a time', async () => {
  const store = memoryStore()
  const waiting: (() => void)[] = []
  const find = vi.fn(() => new Promise<null>((resolve) => waiting.push(() => resolve(null))))
  const companion = companionOf(client, { store: { ...store, purchases: { ...store.purchases, find } } })
  const comeBack = (): Promise<Response> => companion.fetch(get(`/return/${id}`))
  const flood = Array.from({ length: 150 }, comeBack)
  await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(100))
  await Promise.all(flood.slice(100))
  for (const resolve of waiting) resolve()
  await Promise.all(flood)
  expect(find).toHaveBeenCalledTimes(100)
  const after = comeBack()
  await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(101))
  waiting.at(-1)?.()
  expect((await after).status).toBe(200)
})

test.each(['xx-XXX', 'DE', 'de.js', 'rest', 'rest.0123'])(
  'GET /purchase-widget.%s.js is no file of the script',
  async (name) => {
    const answer = await companionOf(client).fetch(get(`/purchase-widget.${name}.js`))
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('no such file')])
  },
)

test('GET /launch: a link that is opened keeps what was preloaded, once; one that is preloaded again does not', async () => {
  const store = memoryStore()
  const open = vi.fn(store.purchases.open)
  const companion = companionOf(client, {
    store: { ...store, purchases: { ...store.purchases, open } },
    tokens,
    url: mount,
  })
  const launch = async (preload: Record<string, string>): Promise<number> => {
    const query = new URLSearchParams({ product_id: 'gold-100', purchase: id, ...preload })
    const frame = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    }
    return (await companion.fetch(get(`/launch?${query}`, 'ada', frame))).status
  }
  expect([await launch({ preload: '1' }), await launch({ preload: '1' })]).toEqual([303, 303])
  expect(open).not.toHaveBeenCalled()
  expect([await launch({}), await launch({})]).toEqual([303, 303])
  expect(open).toHaveBeenCalledOnce()
})

test('POST /token: a page chooses the amount where it decides, and an app has no page that is left', async () => {
  const store = memoryStore()
  const begin = vi.fn(store.purchases.begin)
  const companion = companionOf(client, {
    store: { ...store, purchases: { ...store.purchases, begin } },
    tokens,
    url: mount,
    authorize: () => ({ customId: 'ada' }),
  })
  const params = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
  const answer = await companion.fetch(post('/token', { params, surface: 'popup' }, 'ada'))
  expect(await answer.json()).toMatchObject({ expiresAt: null, params })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ada' }
  await companion.fetch(new Request(`${mount}/token`, { method: 'POST', body: '{}', headers }))
  expect(begin.mock.calls.map(([{ surface }]) => surface)).toEqual(['popup', 'launch'])
})

test('GET /launch: a ticket that another page leads to takes nobody for no session but who has none', async () => {
  let isBroken = false
  const companion = companionOf(client, {
    tokens,
    url: mount,
    rateLimit: { perShopper: 1 },
    onError: () => {},
    authorize: () => {
      if (isBroken) throw new Error('the session store is away')
      return { customId: 'ada' }
    },
  })
  const { launchUrl } = (await (await companion.fetch(post('/launch', {}, 'ada'))).json()) as LaunchGrant
  const open = async (): Promise<number> => {
    const headers = { cookie: 'shopper=ada', referer: 'https://evil.example/' }
    return (await companion.fetch(new Request(launchUrl, { headers }))).status
  }
  expect([await open(), await open()]).toEqual([303, 429])
  isBroken = true
  expect(await open()).toBe(500)
})
