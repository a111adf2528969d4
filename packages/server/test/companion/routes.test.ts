// Promise: companion/routes
/** The paths of the routes, and their answers when the store, the service or the merchant’s code fails. */
import { type Context, Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { pathOf } from '../../src/companion/place.ts'
import {
  createPurchaseClient,
  type LaunchGrant,
  memoryStore,
  type Store,
  type TokenLease,
} from '../../src/index.ts'
import {
  bodyOf,
  companionOf,
  companionOfThisFile,
  get,
  mount,
  navigation,
  post,
  shopOrigin,
} from '../support/companion.ts'
import { settings } from '../support/settings.ts'

const { service, client, ask } = await companionOfThisFile()

/** Of a service that is never called. */
const offline = createPurchaseClient(settings)
const tokens = { get: async () => ({ accessToken: 'token', expiresAt: null }) } as TokenLease
const id = 'id-1-xxxxxxxxxxxxxxxxx'

const storeWith = (purchases: Partial<Store['purchases']>): Store => {
  const store = memoryStore()
  return { ...store, purchases: { ...store.purchases, ...purchases } }
}

test('a path of 16 kB is read at once', () => {
  const path = `/return/AAAAAAAAAAAAAAAAAAAAAA${'/'.repeat(15_900)}x`
  // With a pattern that takes quadratic time, these would take longer than a test may.
  for (let turn = 0; turn < 200; turn++) expect(pathOf(path)).toBe(path)
})

test.each(['/token', '/api/purchase-widget/token', '/a/b/c/token', '/token/', '/token?a=/b#c', '/token#c?d'])(
  'the route is found in %s',
  async (path) => {
    const moved = new Request(new URL(path, shopOrigin), post('/token', {}, 'shopper-1'))
    expect((await ask(moved)).status).toBe(200)
  },
)

test.each(['launch', 'token', 'purchases', 'orders', 'subscriptions', 'user', 'webhook'])(
  'every route is found below a mount path that ends in /%s',
  async (last) => {
    const below = `${shopOrigin}/api/${last}`
    const at = (request: Request): Request => new Request(request.url.replace(mount, below), request)
    const granted = (await bodyOf(ask(at(post('/launch', {}, 'shopper-1'))))) as LaunchGrant
    expect(granted.params.redirect_url).toBe(`${below}/return/${granted.purchaseId}`)
    const link = get('/launch?product_id=gold-100', 'shopper-1', navigation('same-origin'))
    const answers: [Request, number][] = [
      [at(link), 303],
      [at(post('/token', {}, 'shopper-1')), 200],
      [at(get(`/return/${granted.purchaseId}`)), 200],
      [at(get(`/purchases/${granted.purchaseId}`, 'shopper-1')), 200],
      [at(get('/orders', 'shopper-1')), 200],
      [at(get('/orders/unknown', 'shopper-1')), 404],
      [at(get('/subscriptions', 'shopper-1')), 200],
      [at(get('/user', 'shopper-1')), 404],
      [at(post('/webhook/unknown', {})), 202],
      [at(get('/purchase-widget.js')), 200],
    ]
    const seen = await Promise.all(answers.map(async ([request]) => ask(request)))
    expect(seen.map(({ status }) => status)).toEqual(answers.map(([, status]) => status))
    for (const answer of seen) expect(await answer.text()).not.toContain('There is no such route.')
  },
)

test('an unknown route is answered 404, and another method 405 with the allowed ones', async () => {
  expect((await ask(get('/unknown', 'shopper-1'))).status).toBe(404)
  const response = await ask(get('/token', 'shopper-1'))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  const head = async (path: string): Promise<unknown> => {
    const answer = await ask(new Request(mount + path, { method: 'HEAD' }))
    return [answer.status, answer.headers.get('allow')]
  }
  expect([await head('/token'), await head('/orders')]).toEqual([
    [405, 'POST'],
    [405, 'GET'],
  ])
})

test('the routes are those of the Hono app that mounts them, whose context authorize receives', async () => {
  const mounted = companionOf(client, {
    rateLimit: { perAddress: 2 },
    authorize: (_request, context) => ({ customId: String((context as Context).get('user')) }),
  })
  const shop = new Hono<{ Variables: { user: string; callerAddress: string } }>()
    .use(async (c, next) => {
      c.set('user', 'ada')
      c.set('callerAddress', '203.0.113.9')
      await next()
    })
    .route('/api/purchase-widget', mounted.app)
    .get('/', (c) => c.text('the shop'))
    .onError((_, c) => c.text('the shop’s own', 500))
  const granted = (await bodyOf(Promise.resolve(shop.request(post('/launch', {}))))) as LaunchGrant
  expect(granted.params).toMatchObject({
    custom_id: 'ada',
    redirect_url: `${mount}/return/${granted.purchaseId}`,
  })
  expect((await shop.request(granted.params.redirect_url ?? '')).status).toBe(200)
  // Refusals are the companion's, and calls are counted by the address that the shop has set.
  expect((await shop.request(post('/launch', {}))).status).toBe(200)
  expect((await shop.request(post('/launch', {}))).status).toBe(429)
  expect((await shop.request(new Request(`${mount}/orders`, { method: 'POST' }))).status).toBe(405)
  expect(await (await shop.request('/')).text()).toBe('the shop')
})

const throwing = (thrown: unknown) => (): never => {
  throw thrown
}

test.each([
  ['throws', throwing(new Error('database password is hunter2'))],
  // Values that plain JavaScript can return.
  ['throws what is no Error', throwing('hunter2')],
  ['names nobody', () => ({ customId: ' ' })],
])('a 500 without details is the answer if authorize %s', async (_, authorize) => {
  const onError = vi.fn()
  const response = await companionOf(client, { onError, authorize }).fetch(post('/token', {}))
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('hunter2')
  expect(onError).toHaveBeenCalledOnce()
})

const full = new Error('the log is full')
const failing = [
  ['throws', throwing(full)],
  ['rejects', (): Promise<never> => Promise.reject(full)],
] as const

// An unhandled rejection would end the process, and fails this run.
test.each(failing)('an onError that %s prevents no answer', async (_, onError) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = companionOf(client, { onError, authorize: () => ({ customId: '' }) })
  expect((await broken.fetch(post('/token', {}))).status).toBe(500)
  expect(printed).toHaveBeenCalledWith(expect.stringMatching(/^\[purchase-widget\] Error: the log is full/))
  printed.mockRestore()
})

test.each(failing)('a logger of the client that %s prevents no answer', async (_, logger) => {
  const onError = vi.fn()
  const companion = companionOf(service.client({ logger }), { onError })
  expect((await companion.fetch(post('/token', {}, 'ada'))).status).toBe(200)
  expect(onError).not.toHaveBeenCalled()
})

test('POST /webhook: a full queue of unauthenticated callers is reported, and a body without an order is accepted', async () => {
  const store = memoryStore()
  const full: Store = { ...store, jobs: { ...store.jobs, add: async () => false } }
  const companion = companionOf(offline, { store: full, onOrder: () => {} })
  const refused = await companion.fetch(post('/webhook', { order_id: 'order-1' }))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.text()).toContain('too_many_requests')
  const ofNothing = await companion.fetch(post('/webhook', {}))
  expect([ofNothing.status, await ofNothing.json()]).toEqual([202, { received: true }])
})

test('GET /purchases/:id: a purchase that does not exist is not opened', async () => {
  const answer = await companionOf(offline).fetch(get(`/purchases/${id}?opened=1`, 'ada'))
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'none' })])
})

test('GET /return/:id: a flood reads at most a hundred purchases at a time', async () => {
  const waiting: (() => void)[] = []
  const find = vi.fn(() => new Promise<null>((resolve) => waiting.push(() => resolve(null))))
  const companion = companionOf(offline, { store: storeWith({ find }) })
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

test('GET /launch: opening a link keeps the preloaded purchase, once; preloading it again does not', async () => {
  const purchases = memoryStore().purchases
  const open = vi.fn(purchases.open)
  const companion = companionOf(offline, { store: storeWith({ ...purchases, open }), tokens, url: mount })
  const launch = async (preload: Record<string, string>): Promise<number> => {
    const query = new URLSearchParams({ product_id: 'gold-100', purchase: id, ...preload })
    return (await companion.fetch(get(`/launch?${query}`, 'ada', navigation('same-origin', 'iframe')))).status
  }
  expect([await launch({ preload: '1' }), await launch({ preload: '1' })]).toEqual([303, 303])
  expect(open).not.toHaveBeenCalled()
  expect([await launch({}), await launch({})]).toEqual([303, 303])
  expect(open).toHaveBeenCalledOnce()
})

test('POST /token: a page chooses the amount where it decides, and an app leaves no page', async () => {
  const purchases = memoryStore().purchases
  const begin = vi.fn(purchases.begin)
  const companion = companionOf(offline, {
    store: storeWith({ ...purchases, begin }),
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

test('of what authorize returns, the record of a purchase keeps the ids alone', async () => {
  const store = memoryStore()
  const user = { customId: 'ada', userId: 'u-1', email: 'ada@shop.example' }
  const companion = companionOf(offline, { store, tokens, url: mount, authorize: () => user })
  const { purchaseId } = (await bodyOf(companion.fetch(post('/launch', {}, 'ada')))) as LaunchGrant
  const record = await store.purchases.find(purchaseId)
  expect(record?.purchase.shopper).toEqual({ customId: 'ada', userId: 'u-1' })
})

test('GET /launch: for a ticket that another page opens, only a missing session counts as none', async () => {
  let isBroken = false
  const companion = companionOf(offline, {
    tokens,
    url: mount,
    rateLimit: { perShopper: 1 },
    onError: () => {},
    authorize: () => {
      if (isBroken) throw new Error('the session store is away')
      return { customId: 'ada' }
    },
  })
  const { launchUrl } = (await bodyOf(companion.fetch(post('/launch', {}, 'ada')))) as LaunchGrant
  const open = async (): Promise<number> => {
    const headers = { cookie: 'shopper=ada', referer: 'https://evil.example/' }
    return (await companion.fetch(new Request(launchUrl, { headers }))).status
  }
  expect([await open(), await open()]).toEqual([303, 429])
  isBroken = true
  expect(await open()).toBe(500)
})

test('listing dead letters calls no onOrder, so that it can be done on any machine', async () => {
  const store = memoryStore()
  const claim = vi.spyOn(store.jobs, 'claim')
  const companion = companionOf(offline, { store, onOrder: () => {} })
  await store.jobs.add('{"order_id":"one"}', 'trusted')
  expect(await companion.deadLetters.list()).toEqual([])
  expect(claim).not.toHaveBeenCalled()
  companion.start()
  expect(claim).toHaveBeenCalled()
})
