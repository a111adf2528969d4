// Promise: companion/routes
/** Where the routes are found, and what they answer where the store, the service or the merchant’s code does not do as it should. */
import { type Context, Hono } from 'hono'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Companion,
  createPurchaseClient,
  type LaunchGrant,
  memoryStore,
  type PurchaseClient,
  type Store,
  type TokenLease,
} from '../../src/index.ts'
import { bodyOf, companionOf, get, mount, post, shopOrigin } from '../support/companion.ts'
import { settings } from '../support/settings.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

/** Of a service that nobody asks. */
const offline = createPurchaseClient(settings)

describe('paths and methods', () => {
  test.each(['/token', '/api/purchase-widget/token', '/a/b/c/token', '/token/'])(
    'finds the route in %s',
    async (path) => {
      const request = post('/token', {}, 'shopper-1')
      const moved = new Request(new URL(path, shopOrigin), request)
      expect((await companion.fetch(moved)).status).toBe(200)
    },
  )

  test('answers 404 to an unknown route and 405 with the right method', async () => {
    expect((await companion.fetch(get('/unknown', 'shopper-1'))).status).toBe(404)
    const response = await companion.fetch(get('/token', 'shopper-1'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('are those of a Hono app that it is mounted in, whose context authorize gets', async () => {
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

  test('answers 500 to whatever the merchant’s code throws', async () => {
    const errors: unknown[] = []
    const broken = companionOf(client, {
      onError: (error) => errors.push(error),
      authorize: () => {
        // What JavaScript lets through.
        throw 'no Error' as unknown as Error
      },
    })
    expect((await broken.fetch(post('/launch', {}))).status).toBe(500)
    expect(errors).toEqual(['no Error'])
  })

  test('still answers when the merchant’s onError throws', async () => {
    const onError = (): never => {
      throw new Error('the log is full')
    }
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = companionOf(client, { onError, authorize: () => ({ customId: '' }) })
    expect((await broken.fetch(post('/token', {}))).status).toBe(500)
    expect(printed).toHaveBeenCalledWith(expect.stringMatching(/^\[purchase-widget\] Error: the log is full/))
    printed.mockRestore()
  })

  test('answers 500 without details when authorize throws, or names nobody', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown): unknown => errors.push(error)
    const throws = companionOf(client, {
      onError,
      authorize: () => {
        throw new Error('database password is hunter2')
      },
    })
    const nobody = companionOf(client, { onError, authorize: () => ({ customId: ' ' }) })
    for (const broken of [throws, nobody]) {
      const response = await broken.fetch(post('/token', {}, 'shopper-1'))
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain('hunter2')
    }
    expect(errors).toHaveLength(2)
  })
})

test('POST /webhook: says so when the queue of unauthenticated callers is full, and a body without an order is received', async () => {
  const store = memoryStore()
  const full: Store = { ...store, jobs: { ...store.jobs, add: async () => false } }
  const companion = companionOf(offline, { store: full, onOrder: () => {} })
  const refused = await companion.fetch(post('/webhook', { order_id: 'order-1' }))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await refused.text()).toContain('too_many_requests')
  const ofNothing = await companion.fetch(post('/webhook', {}))
  expect([ofNothing.status, await ofNothing.json()]).toEqual([202, { received: true }])
})

const id = 'id-1-xxxxxxxxxxxxxxxxx'
const tokens = { get: async () => ({ accessToken: 'token', expiresAt: null }) } as TokenLease

test('GET /purchases/:id: a purchase that nobody has begun is not opened', async () => {
  const companion = companionOf(offline)
  const answer = await companion.fetch(get(`/purchases/${id}?opened=1`, 'ada'))
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'none' })])
})

test('GET /purchases/:id: takes nobody for no session but who has none', async () => {
  const authorize = (): never => {
    throw new Error('the session store is away')
  }
  const broken = companionOf(offline, { authorize, onError: () => {} })
  expect((await broken.fetch(get(`/purchases/${id}`, 'ada'))).status).toBe(500)
  const limited = companionOf(offline, { rateLimit: { perShopper: 1 } })
  const statuses = [1, 2].map(async () => (await limited.fetch(get(`/purchases/${id}`, 'ada'))).status)
  expect(await Promise.all(statuses)).toEqual([200, 429])
})

test('GET /purchases/:id: calls without a session are counted by network, else by the beginning of the id', async () => {
  const companion = companionOf(offline, { rateLimit: { perAddress: 2 } })
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
  const companion = companionOf(offline, { store: { ...store, purchases: { ...store.purchases, find } } })
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

test('GET /launch: a link that is opened keeps what was preloaded, once; one that is preloaded again does not', async () => {
  const store = memoryStore()
  const open = vi.fn(store.purchases.open)
  const companion = companionOf(offline, {
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
  const companion = companionOf(offline, {
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
  const { launchUrl } = (await (await companion.fetch(post('/launch', {}, 'ada'))).json()) as LaunchGrant
  const open = async (): Promise<number> => {
    const headers = { cookie: 'shopper=ada', referer: 'https://evil.example/' }
    return (await companion.fetch(new Request(launchUrl, { headers }))).status
  }
  expect([await open(), await open()]).toEqual([303, 429])
  isBroken = true
  expect(await open()).toBe(500)
})
