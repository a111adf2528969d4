/** The companion against the real sandbox: what each route answers, and to whom. */
import { type Context, Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Companion,
  createCompanion,
  type LaunchGrant,
  memoryStore,
  type OrderSummary,
  type PurchaseClient,
  PurchaseRefused,
  type TokenGrant,
} from '../src/index.ts'
import { companionOf, get, mount, post, shopOrigin } from './support/companion.ts'
import { declinedCard, newUser } from './support/service.ts'
import { serviceOfThisFile } from './support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

const bodyOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

test.each([
  [{ authorize: undefined }, /authorize/],
  [{ onorder: () => {} }, /onorder/],
  [{ url: 'shop.example/api' }, /url/],
  [{ url: 'http://shop.example/api' }, /url/],
  [{ url: 'https://shop.example/api?a=1' }, /url/],
  [{ url: `https://shop.example/${'a'.repeat(80)}` }, /80/],
  [{ allowedOrigins: ['*'] }, /\*/],
  [{ allowedOrigins: ['shop.example'] }, /shop\.example/],
  [{ allowedOrigins: ['https://shop.example/'] }, /https:\/\/shop\.example\//],
  [{ allowedOrigins: 'https://shop.example' }, /allowedOrigins must be a list/],
  [{ carry: 'hash' }, /carry/],
  ...['30s', '30000', 30, 999, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, null].map(
    (onOrderTimeout): [object, RegExp] => [{ onOrderTimeout }, /onOrderTimeout must be .*milliseconds/],
  ),
  [{ store: 'shop.sqlite' }, /store must be a store: sqliteStore\(file\)/],
  [{ store: {} }, /store must be/],
  [{ client: { PURCHASE_API_KEY: 'x' } }, /client must be .*clientFromEnv\(process\.env\)/],
  [{ tokens: 'token' }, /tokens must be a lease: createTokenLease/],
  [{ rateLimit: 60 }, /rateLimit must be an object/],
  [{ rateLimit: { perShoper: 5 } }, /rateLimit has no perShoper/],
  [{ rateLimit: { perShopper: '5' } }, /rateLimit\.perShopper must be a number/],
  [{ rateLimit: { perAddress: 0 } }, /rateLimit\.perAddress must be a number/],
  [{ pageToken: 'false' }, /pageToken must be true or false/],
  ...['authorize', 'createPurchase', 'onOrder', 'onUser', 'onError', 'now'].map((name): [object, RegExp] => [
    { [name]: 'x' },
    new RegExp(`${name} must be a function`),
  ]),
])('refuses to start with %o', (options, message) => {
  expect(() => createCompanion({ authorize: () => null, ...options } as never)).toThrow(message)
})

// Promise: companion/options
test.each([undefined, null, 'options'])('needs options, not %s', (options) => {
  expect(() => createCompanion(options as never)).toThrow(/createCompanion needs options/)
})

test('accepts each option at its limits, or undefined', () => {
  const none = { store: undefined, rateLimit: undefined, onOrderTimeout: undefined, carry: undefined }
  expect(() => createCompanion({ authorize: () => null, ...none } as never)).not.toThrow()
  for (const onOrderTimeout of [1_000, 86_400_000]) {
    expect(() => createCompanion({ authorize: () => null, onOrderTimeout })).not.toThrow()
  }
  const rateLimit = { perShopper: 1, perAddress: 1e9 }
  expect(() => createCompanion({ authorize: () => null, rateLimit, client })).not.toThrow()
})

test('stands at a plain-http address of a host that the environment names, but not in production', () => {
  const standAt = (url: string) => () => createCompanion({ authorize: () => null, url })
  vi.stubEnv('PURCHASE_PLAIN_HTTP_HOSTS', 'shop.test, sandbox')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).not.toThrow()
  expect(standAt('http://other.test:3000/api/purchase-widget')).toThrow('url')
  vi.stubEnv('NODE_ENV', 'production')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).toThrow('url')
  vi.unstubAllEnvs()
})

test('reads neither environment nor store until the first request, and says then what is missing', async () => {
  const errors: Error[] = []
  const bare = createCompanion({
    authorize: () => ({ customId: 'a' }),
    onError: (error) => errors.push(error as Error),
  })
  expect(errors).toEqual([])
  expect((await bare.fetch(get('/orders', 'a'))).status).toBe(503)
  expect(errors).toMatchObject([{ message: expect.stringContaining('PURCHASE_WIDGET_URL') }])
  await bare.close()
})

// Promise: companion/options
describe('in production', () => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'))
  afterEach(() => void vi.unstubAllEnvs())

  test('begins nothing without a public address, and says which setting it is', async () => {
    const errors: Error[] = []
    const homeless = companionOf(client, { onError: (error) => errors.push(error as Error) })
    expect((await homeless.fetch(post('/token', {}, 'a'))).status).toBe(503)
    expect(errors).toMatchObject([{ message: expect.stringContaining('PURCHASE_COMPANION_URL') }])
  })

  test('takes the public address from the environment', async () => {
    vi.stubEnv('PURCHASE_COMPANION_URL', `${mount}/`)
    const { params } = (await bodyOf(companion.fetch(post('/token', {}, 'a')))) as TokenGrant
    expect(params.redirect_url).toMatch(new RegExp(`^${mount}/return/`))
  })
})

// Promise: launch/page-token
describe('POST /token', () => {
  test('gives the token, the widget address and the shopper’s parameters', async () => {
    const response = await companion.fetch(post('/token', {}, 'shopper-1:user-1'))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const answer = (await response.json()) as { accessToken: string; expiresAt: string }
    expect(answer).toEqual({
      accessToken: expect.stringMatching(/\S/),
      purchaseId: expect.stringMatching(/^[\w-]{22}$/),
      widgetUrl: service.urls.widgetUrl,
      expiresAt: expect.stringMatching(/Z$/),
      params: expect.objectContaining({ custom_id: 'shopper-1', user_id: 'user-1' }),
    })
    const page = await fetch(`${service.urls.widgetUrl}/widget/?accessToken=${answer.accessToken}`)
    expect(page.status).toBe(200)
  })

  test('gives every shopper the same leased token', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((shopper) => bodyOf(companion.fetch(post('/token', {}, shopper)))),
    )
    expect(new Set(answers.map((answer) => (answer as { accessToken: string }).accessToken)).size).toBe(1)
    expect(await service.count('createAccessToken')).toBe(1)
  })

  test('passes on the merchant’s sentence when it refuses to sell', async () => {
    const errors: unknown[] = []
    const soldOut = companionOf(client, {
      onError: (error) => errors.push(error),
      createPurchase: () => {
        throw new PurchaseRefused('This is sold out.')
      },
    })
    const response = await soldOut.fetch(post('/token', {}, 'shopper-1'))
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      error: { code: 'purchase_refused', message: 'This is sold out.' },
    })
    expect(errors).toEqual([])
  })

  test('still gives tokens while the store is away', async () => {
    const errors: unknown[] = []
    const store = memoryStore()
    const begin = (): Promise<never> => Promise.reject(new Error('the store is away'))
    const away = companionOf(client, {
      store: { ...store, purchases: { ...store.purchases, begin, find: begin } },
      onError: (error) => errors.push(error),
    })
    const grant = (await bodyOf(away.fetch(post('/token', {}, 'shopper-1')))) as TokenGrant
    expect(grant.accessToken).toMatch(/\S/)
    expect(errors).toMatchObject([{ message: 'the store is away' }])
    const known = away.fetch(get(`/purchases/${grant.purchaseId}`, 'shopper-1'))
    expect(await bodyOf(known)).toMatchObject({ status: 'none' })
  })

  test.each([
    [{ params: [] }, 'params'],
    [{ params: { product_id: 1 } }, 'product_id'],
    [{ params: { note: 'x'.repeat(1_001) } }, 'note'],
    [{ params: { note: 'Ada \ud83d' } }, 'note'],
    [{ params: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`p${at}`, 'x'])) }, '40'],
    [{ surface: 'window' }, 'surface'],
    [{ redirectPage: 'parent' }, 'redirect_page'],
  ])('says what is wrong with %j', async (body, named) => {
    const response = await companion.fetch(post('/token', body, 'shopper-1'))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(named)
  })

  test('lets an app in by its Authorization header, and no browser without an origin', async () => {
    const bearer = { authorization: 'Bearer ada', 'content-type': 'application/json' }
    const app = companionOf(client, {
      authorize: ({ headers }) => (headers.has('authorization') ? { customId: 'ada' } : null),
    })
    const call = async (headers: Record<string, string>): Promise<number> => {
      const request = new Request(`${mount}/token`, { method: 'POST', body: '{}', headers })
      return (await app.fetch(request)).status
    }
    expect(await call(bearer)).toBe(200)
    // The fetch of Node.
    const mode = { 'sec-fetch-mode': 'cors' }
    expect(await call({ ...bearer, ...mode })).toBe(200)
    expect(await call({ 'content-type': 'application/json' })).toBe(403)
    expect(await call({ 'content-type': 'application/json', ...mode })).toBe(403)
    expect(await call({ ...bearer, cookie: 'a=b' })).toBe(403)
  })

  test('says that the service is away without saying why', async () => {
    const errors: unknown[] = []
    const away = companionOf(service.client({ widgetApiUrl: 'http://127.0.0.1:1', maxRetries: 0 }), {
      onError: (error) => errors.push(error),
    })
    const response = await away.fetch(post('/token', {}, 'shopper-1'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } })
    expect(errors).toMatchObject([{ name: 'NetworkError' }])
  })
})

// Promise: companion/orders
describe('GET /orders', () => {
  test('gives this shopper’s orders without personal data', async () => {
    const paid = await service.buy({
      product_id: 'gold-100',
      custom_id: 'shopper-1',
      redirect_url: `${shopOrigin}/thanks`,
      redirect_page: 'self',
    })
    const declined = await service.buy(
      { product_id: 'gold-100', custom_id: 'shopper-1' },
      declinedCard('4004'),
    )
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-2' })

    const { orders } = (await bodyOf(companion.fetch(get('/orders', 'shopper-1')))) as {
      orders: { id: string }[]
    }
    expect(orders.map(({ id }) => id).sort()).toEqual([paid.id, declined.id].sort())
    expect(orders.find(({ id }) => id === paid.id)).toEqual({
      id: paid.id,
      type: 'order_complete',
      custom_id: 'shopper-1',
      product_id: 'gold-100',
      quote: paid.quote,
      quote_amount: paid.quote_amount,
      decline: null,
      redirect_url: `${shopOrigin}/thanks`,
      redirect_page: 'self',
    })
    expect(orders.find(({ id }) => id === declined.id)).toMatchObject({
      type: 'order_failed',
      decline: { code: '4004', reason: expect.any(String), action: 'Add funds and try again.' },
    })
  })

  test('passes on return addresses of allowed origins, and leaves any other out', async () => {
    const placeholder = `${shopOrigin}/placeholder`
    const { id } = await service.buy({
      product_id: 'gold-100',
      custom_id: 'shopper-1',
      redirect_url: placeholder,
      fail_redirect_url: placeholder,
    })
    /** What a page is told of an order that has this address: by one order and by the list. */
    async function told(address: string): Promise<unknown[]> {
      const withAddress: typeof fetch = async (...call) => {
        const answer = await fetch(...call)
        return new Response((await answer.text()).replaceAll(placeholder, address), answer)
      }
      const app = companionOf(service.client({ fetch: withAddress }), {
        allowedOrigins: [
          shopOrigin,
          'http://localhost:3000',
          'http://shop.example',
          'com.example.shop://return',
        ],
      })
      const one = (await bodyOf(app.fetch(get(`/orders/${id}`, 'shopper-1')))) as { order: OrderSummary }
      const list = (await bodyOf(app.fetch(get('/orders', 'shopper-1')))) as { orders: OrderSummary[] }
      return [one.order, ...list.orders].flatMap((order) => [order.redirect_url, order.fail_redirect_url])
    }

    for (const address of [`${shopOrigin}/thanks?a=1`, 'http://localhost:3000/thanks']) {
      expect(await told(address)).toEqual([address, address, address, address])
    }
    for (const address of [
      'javascript:alert(1)',
      'javascript://shop.example/%0Aalert(1)',
      'data:text/html,x',
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
      'https://ada@shop.example/',
      'http://shop.example/',
      'com.example.shop://return/done',
      '/thanks',
    ]) {
      expect(await told(address), address).toEqual([undefined, undefined, undefined, undefined])
    }
  })

  test('gives one order by its id', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const answer = await bodyOf(companion.fetch(get(`/orders/${order.id}`, 'shopper-1')))
    expect(answer).toMatchObject({ order: { id: order.id, type: 'order_complete' } })
  })

  test('answers the same to an unknown order and to another shopper’s', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const unknown = await companion.fetch(get('/orders/unknown', 'shopper-2'))
    const other = await companion.fetch(get(`/orders/${order.id}`, 'shopper-2'))
    expect([unknown.status, other.status]).toEqual([404, 404])
    expect(await other.text()).toBe(await unknown.text())
    expect(Object.fromEntries(other.headers)).toEqual(Object.fromEntries(unknown.headers))
  })

  test('gives the shopper their order also where its custom_id is the purchase’s', async () => {
    const app = companionOf(client, { carry: 'custom_id' })
    const { params } = (await bodyOf(app.fetch(post('/token', {}, 'shopper-1')))) as TokenGrant
    const { id } = await service.buy({ ...params, product_id: 'gold-100' })
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-1'))).status).toBe(200)
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-2'))).status).toBe(404)
  })

  test('gives a shopper’s orders from before they signed in', async () => {
    const shop = companionOf(client, {
      authorize: () => ({ customId: 'ada', formerly: ['guest-1', 'guest-2'] }),
    })
    const ids = []
    for (const custom_id of ['guest-1', 'guest-2', 'ada', 'eve']) {
      ids.push((await service.buy({ product_id: 'gold-100', custom_id })).id)
    }
    const { orders } = (await bodyOf(shop.fetch(get('/orders')))) as { orders: OrderSummary[] }
    expect(orders.map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort())
    const statuses = ids.map(async (id) => (await shop.fetch(get(`/orders/${id}`))).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404])
  })

  test.each([
    [
      'where orders carry the purchase’s id',
      (userId: string) => `ada:${userId}`,
      { carry: 'custom_id' as const },
    ],
    ['of a shopper who has no id of the shop’s', (userId: string) => `:${userId}`, {}],
  ])('gives orders %s, to their shopper alone', async (_, sessionOf, options) => {
    const { user_id } = await client.users.create(newUser)
    const [shopper, other] = [sessionOf(user_id), sessionOf('another').replace('ada', 'eve')]
    const shop = companionOf(client, { ...options, rateLimit: { perShopper: 10_000 } })
    const ask = async (path: string, who: string = shopper): Promise<unknown> =>
      bodyOf(shop.fetch(get(path, who)))
    const { params, purchaseId } = (await bodyOf(shop.fetch(post('/token', {}, shopper)))) as TokenGrant
    expect(await ask('/orders')).toEqual({ orders: [] })
    const bought = { params: { ...params, product_id: 'gold-100' }, email: newUser.email }
    const { id } = (await service.control('POST', '/purchases', bought)) as { id: string }
    await expect.poll(() => ask('/orders')).toMatchObject({ orders: [{ id, type: 'order_complete' }] })
    expect(await ask(`/orders/${id}`)).toMatchObject({ order: { id } })
    expect(await ask(`/purchases/${purchaseId}`)).toMatchObject({ status: 'complete', order: { id } })
    expect(await ask('/orders', other)).toEqual({ orders: [] })
    expect(await ask(`/orders/${id}`, other)).toMatchObject({ error: { code: 'not_found' } })
  })

  test('gives nothing to another site’s page', async () => {
    const request = get('/orders', 'shopper-1', { 'sec-fetch-site': 'cross-site' })
    expect((await companion.fetch(request)).status).toBe(403)
  })
})

// Promise: companion/orders
describe('GET /subscriptions', () => {
  test('gives this shopper’s subscriptions without personal data', async () => {
    await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
    await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-2' })
    const { subscriptions } = (await bodyOf(companion.fetch(get('/subscriptions', 'shopper-1')))) as {
      subscriptions: object[]
    }
    expect(subscriptions).toHaveLength(1)
    expect(subscriptions[0]).toMatchObject({
      product_id: 'club-monthly',
      next_paid_date: expect.stringMatching(/^\d{4}-.*Z$/),
      failed_to_paid: false,
      next_paid: true,
    })
    expect(subscriptions[0]).not.toHaveProperty('user_id')
    expect(subscriptions[0]).not.toHaveProperty('raw')
  })

  test('gives an empty list to a shopper who has none', async () => {
    expect(await bodyOf(companion.fetch(get('/subscriptions', 'shopper-3')))).toEqual({ subscriptions: [] })
  })
})

// Promise: companion/user
describe('POST /user and GET /user', () => {
  test('creates the widget user and tells the merchant', async () => {
    const onUser = vi.fn()
    companion = companionOf(client, { onUser })
    const response = await companion.fetch(post('/user', newUser, 'shopper-1'))
    expect(response.status).toBe(201)
    const { user_id } = (await response.json()) as { user_id: string }
    expect(onUser).toHaveBeenCalledExactlyOnceWith(
      { id: expect.any(String), user_id },
      { customId: 'shopper-1' },
    )

    const { user } = (await bodyOf(companion.fetch(get('/user', `shopper-1:${user_id}`)))) as { user: object }
    expect(user).toEqual({
      user_id,
      fkyc_status: 'not initiated',
      lkyc_status: 'success',
      limits: expect.objectContaining({ crypto_remaining: expect.any(String) }),
      linked_payment_methods: [],
    })
  })

  test('gives the brand and last digits of a card, and nothing more', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const answer = await bodyOf(companion.fetch(get('/user', `shopper-1:${order.user_id}`)))
    expect(answer).toMatchObject({
      user: {
        linked_payment_methods: [
          { method: 'bank_card', cards: [{ brand: expect.any(String), last_digits: '4242' }] },
        ],
      },
    })
    expect(JSON.stringify(answer)).not.toMatch(/card_id|phone|country/)
  })

  test('says which field is wrong, without its value', async () => {
    const response = await companion.fetch(post('/user', { ...newUser, email: 'no-address' }, 'shopper-1'))
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain('email')
    expect(text).not.toContain('no-address')
  })

  test('reports that the service refused, without the value', async () => {
    await companion.fetch(post('/user', newUser, 'shopper-1'))
    const response = await companion.fetch(post('/user', newUser, 'shopper-2'))
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain(newUser.email)
  })

  test('creates no second user for a shopper who has one', async () => {
    expect((await companion.fetch(post('/user', newUser, 'shopper-1:user-1'))).status).toBe(409)
    expect((await companion.fetch(get('/user', 'shopper-1'))).status).toBe(404)
  })
})

// Promise: companion/routes
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

// Promise: companion/origins
describe('pages of other origins', () => {
  const app = 'https://app.example'
  const call = (origin: string): Request =>
    post('/token', {}, 'shopper-1', { origin, 'sec-fetch-site': 'cross-site' })
  const grants = ({ headers }: Response): unknown[] => [
    headers.get('access-control-allow-origin'),
    /\borigin\b/i.test(headers.get('vary') ?? ''),
  ]

  beforeEach(() => {
    companion = companionOf(client, { allowedOrigins: [shopOrigin, app] })
  })

  test('are answered exactly when they are allowed, refusals included', async () => {
    const answered = await companion.fetch(call(app))
    expect([answered.status, ...grants(answered)]).toEqual([200, app, true])
    expect(answered.headers.get('access-control-allow-credentials')).toBe('true')
    const nobody = await companion.fetch(post('/token', {}, undefined, { origin: app }))
    expect([nobody.status, ...grants(nobody)]).toEqual([401, app, true])
    // A cache must not give it to a page of another origin.
    const script = await companion.fetch(get('/purchase-widget.js'))
    expect(grants(script)).toEqual([null, true])
    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'null',
    ]) {
      const refused = await companion.fetch(call(origin))
      expect([refused.status, ...grants(refused)]).toEqual([403, null, true])
    }
  })

  test('may read what is the shopper’s when they are allowed', async () => {
    const read = (origin: string): Request =>
      get('/orders', 'shopper-1', { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
    expect((await companion.fetch(read(app))).status).toBe(200)
    expect((await companion.fetch(read('https://evil.example'))).status).toBe(403)
  })

  test('are told before they call what they may send', async () => {
    const ask = (origin: string): Promise<Response> =>
      companion.fetch(new Request(`${mount}/token`, { method: 'OPTIONS', headers: { origin } }))
    const allowed = await ask(app)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(grants(allowed)).toEqual([app, true])
    const refused = await ask('https://evil.example')
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
})

// Promise: launch/minting
describe('a token', () => {
  const origins = [
    shopOrigin,
    'http://shop.example',
    'https://shop.example:8443',
    'https://SHOP.example',
    'https://shop.example.',
    'https://shop.example/',
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://sub.shop.example',
    'null',
    null,
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
  const sessions = { 'signed in': 'shopper=shopper-1', 'signed out': '', forged: 'shoper=shopper-1' }

  test('is given to the allowed page alone, with POST and a session', async () => {
    const companion = companionOf(service.client(), { rateLimit: { perShopper: 1_000 } })
    const minted: string[] = []
    let tried = 0
    for (const origin of origins) {
      for (const method of methods) {
        for (const [session, cookie] of Object.entries(sessions)) {
          const response = await companion.fetch(
            new Request(`${mount}/token`, {
              method,
              headers: {
                'content-type': 'application/json',
                ...(cookie ? { cookie } : {}),
                ...(origin === null ? {} : { origin }),
              },
              ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
            }),
          )
          tried++
          expect(response.headers.get('access-control-allow-origin')).toBe(
            origin === shopOrigin ? origin : null,
          )
          if ((await response.text()).includes('accessToken')) minted.push(`${origin} ${method} ${session}`)
        }
      }
    }
    expect(tried).toBe(216)
    expect(minted).toEqual([`${shopOrigin} POST signed in`])
  })
})

// Promise: launch/limits
describe('limits', () => {
  const from = (address: string, request: Request): Promise<Response> => companion.fetch(request, { address })
  const statuses = async (count: number, call: () => Promise<Response>): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, call))
    return answers.map(({ status }) => status).sort()
  }

  test('of unauthenticated callers count against no shopper', async () => {
    companion = companionOf(client, { rateLimit: { perAddress: 3 } })
    const address = '198.51.100.7'
    expect(await statuses(5, () => from(address, post('/token', {})))).toEqual([401, 401, 401, 429, 429])
    expect((await from(address, post('/token', {}, 'ada'))).status).toBe(200)
  })

  test('of an address count nobody where the runtime names none', async () => {
    companion = companionOf(client, { rateLimit: { perAddress: 2 } })
    let shopper = 0
    const call = (): Promise<Response> => companion.fetch(post('/token', {}, `shopper-${++shopper}`))
    expect(await statuses(4, call)).toEqual([200, 200, 200, 200])
  })
})

// Promise: companion/script
test('gives the loader’s script, for a while, to any page', async () => {
  const response = await companion.fetch(get('/purchase-widget.js'))
  // The loader may not be built here; then the answer says where the script is.
  if (response.status === 404) return expect(await response.text()).toContain('@purchase-widget/loader')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const again = await companion.fetch(
    get('/purchase-widget.js', '', { 'if-none-match': response.headers.get('etag') ?? '' }),
  )
  expect(again.status).toBe(304)
  // With the widget's origin in its place, so that the first click needs no other request.
  const text = await response.text()
  expect(text).toContain(new URL(client.widgetUrl).origin)
  expect(text).not.toContain('{widget-origin}')
})

for (const [query, says] of [
  ['', false],
  // `dev` says in sentences what a developer has got wrong.
  ['?dev', true],
] as const)
  test(`the second file that purchase-widget.js${query} names is there for good, for any page`, async () => {
    const first = await companion.fetch(get(`/purchase-widget.js${query}`))
    if (first.status === 404) return
    const [name] = /purchase-widget\.rest[\w.-]*\.js/.exec(await first.text()) ?? []
    const second = await companion.fetch(get(`/${name}`))
    expect(second.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(second.headers.get('access-control-allow-origin')).toBe('*')
    const text = await second.text()
    expect(text.includes('no such option')).toBe(says)
    expect(text).toContain('createPurchaseWidget')
  })

test('gives the language files that are beside the script, and nothing else of its folder', async () => {
  const statusOf = async (path: string): Promise<number> => (await companion.fetch(get(path))).status
  // The loader may not be built here.
  if ((await statusOf('/purchase-widget.js')) === 404) return
  for (const language of ['de', 'pt-BR', 'zh-TW']) {
    const response = await companion.fetch(get(`/purchase-widget.${language}.js`))
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await response.text()).toContain(`'${language.toLowerCase()}':`)
  }
  for (const name of ['en', 'xx', 'DE', 'de-de', '..%2Fde', '3811f551eabc', 'rest.3811f551eabc', 'rest'])
    expect(await statusOf(`/purchase-widget.${name}.js`), name).toBe(404)
})
