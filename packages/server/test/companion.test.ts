/** The companion against the real sandbox: what each route answers, and to whom. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Companion,
  createCompanion,
  createTokenLease,
  type OrderSummary,
  type PurchaseClient,
} from '../src/index.ts'
import { orderFields } from '../src/client/wire.ts'
import { companionOf, get, mount, post, shopOrigin } from './support/companion.ts'
import { declinedCard, newUser, type Service, startService } from './support/service.ts'

let service: Service
let client: PurchaseClient
let companion: Companion

beforeAll(async () => {
  service = await startService()
})
beforeEach(() => {
  service.reset()
  client = service.client()
  companion = companionOf(client)
})
afterAll(() => service.close())

const bodyOf = async (response: Promise<Response>): Promise<unknown> => (await response).json()

test('refuses to start without authorize', () => {
  const tokens = createTokenLease({ client })
  expect(() => createCompanion({ client, tokens } as never)).toThrow(/authorize/)
})

describe('POST /token', () => {
  test('gives the token, the widget address and the shopper’s parameters', async () => {
    const response = await companion.fetch(post('/token', {}, 'shopper-1:user-1'))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const answer = (await response.json()) as { accessToken: string; expiresAt: string }
    expect(answer).toEqual({
      accessToken: expect.stringMatching(/\S/),
      widgetUrl: service.urls.widgetUrl,
      expiresAt: expect.stringMatching(/Z$/),
      params: { custom_id: 'shopper-1', user_id: 'user-1' },
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

  test('answers 401 to nobody', async () => {
    const response = await companion.fetch(post('/token', {}))
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } })
    expect(await service.count('createAccessToken')).toBe(0)
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=b', 415],
    ['plain text', 'text/plain', '{}', 415],
    ['what only begins like JSON', 'application/jsonp', '{}', 415],
  ])('refuses %s', async (_, type, body, status) => {
    const response = await companion.fetch(post('/token', body, 'shopper-1', { 'content-type': type }))
    expect(response.status).toBe(status)
  })

  test('refuses a body that says it is too long', async () => {
    const headers = { 'content-length': '20000' }
    expect((await companion.fetch(post('/token', '{}', 'shopper-1', headers))).status).toBe(413)
  })

  test('says that the service is away without saying why', async () => {
    const errors: unknown[] = []
    const away = companionOf(service.client({ widgetApiUrl: 'http://127.0.0.1:1', timeoutMs: 500 }), {
      onError: (error) => errors.push(error),
    })
    const response = await away.fetch(post('/token', {}, 'shopper-1'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } })
    expect(errors).toMatchObject([{ name: 'NetworkError' }])
  })
})

describe('GET /launch', () => {
  const locationOf = async (request: Request): Promise<URL> => {
    const response = await companion.fetch(request)
    expect(response.status).toBe(303)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    return new URL(response.headers.get('location') ?? '')
  }

  const fromLink = {
    product_id: 'gold-100',
    locale: 'de',
    redirect_url: `${shopOrigin}/return`,
    fail_redirect_url: `${shopOrigin}/failed`,
    redirect_page: 'self',
  }

  test('sends the shopper to the widget, with what a link may choose', async () => {
    const url = await locationOf(get(`/launch?${new URLSearchParams(fromLink)}`, 'shopper-1'))
    const { accessToken, ...params } = Object.fromEntries(url.searchParams)
    expect(url.origin + url.pathname).toBe(`${service.urls.widgetUrl}/widget/`)
    expect(accessToken).toMatch(/\S/)
    expect(params).toEqual({ ...fromLink, custom_id: 'shopper-1' })
  })

  test('ignores everything else in a link: wallet, price, state, person, tracking', async () => {
    const others = orderFields.filter((field) => !(field in fromLink) && field !== 'custom_id')
    const query = [...others, 'utm_medium', 'other'].map((field) => `${field}=evil`).join('&')
    const url = await locationOf(get(`/launch?product_id=gold-100&${query}`, 'shopper-1'))
    expect([...url.searchParams.keys()].sort()).toEqual(['accessToken', 'custom_id', 'product_id'])
    expect(url.search).not.toContain('evil')
  })

  test('says what redirect_page may be', async () => {
    const response = await companion.fetch(get('/launch?redirect_page=parent', 'shopper-1'))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('redirect_page')
  })

  test('takes neither token nor shopper from the link', async () => {
    const url = await locationOf(get('/launch?accessToken=evil&custom_id=evil&user_id=evil', 'shopper-1'))
    expect(url.searchParams.getAll('accessToken')).not.toContain('evil')
    expect(url.searchParams.getAll('custom_id')).toEqual(['shopper-1'])
    expect(url.searchParams.has('user_id')).toBe(false)
  })

  test.each([
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    '//evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil://shop.example/',
    '/return',
  ])('does not pass on the return address %s', async (address) => {
    for (const field of ['redirect_url', 'fail_redirect_url']) {
      const response = await companion.fetch(
        get(`/launch?${field}=${encodeURIComponent(address)}`, 'shopper-1'),
      )
      expect(response.status).toBe(400)
    }
  })

  test('passes on an app’s own return address that the merchant allows', async () => {
    const app = companionOf(client, { allowedOrigins: [shopOrigin, 'com.example.shop://return'] })
    const response = await app.fetch(get('/launch?redirect_url=com.example.shop://return/done', 'shopper-1'))
    expect(response.status).toBe(303)
  })

  test('can be reached by a link on another site, but not fetched by it', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const fetched = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    expect((await companion.fetch(get('/launch', 'shopper-1', link))).status).toBe(303)
    expect((await companion.fetch(get('/launch', 'shopper-1', fetched))).status).toBe(403)
  })

  const navigation = (site: string, dest: string): Record<string, string> => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': dest,
  })

  test.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'begins nothing in the %s of another site’s page',
    async (dest) => {
      const response = await companion.fetch(get('/launch', 'shopper-1', navigation('cross-site', dest)))
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
      expect(await service.count('createAccessToken')).toBe(0)
    },
  )

  test.each(['same-origin', 'same-site'])('opens in a frame of the shop’s own %s page', async (site) => {
    await locationOf(get('/launch', 'shopper-1', navigation(site, 'iframe')))
  })

  test.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])('takes no token for a link that is fetched ahead: %o', async (ahead) => {
    const headers = { ...navigation('same-origin', 'document'), ...ahead }
    const response = await companion.fetch(get('/launch', 'shopper-1', headers))
    expect([response.status, response.headers.get('cache-control')]).toEqual([403, 'no-store'])
    expect(await service.count('createAccessToken')).toBe(0)
  })

  test('takes no token for HEAD', async () => {
    const request = new Request(get('/launch', 'shopper-1'), { method: 'HEAD' })
    expect((await companion.fetch(request)).status).toBe(405)
    expect(await service.count('createAccessToken')).toBe(0)
  })
})

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

  test('says how to find orders of a shopper who has no custom id', async () => {
    const response = await companion.fetch(get('/orders', ':user-1'))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('custom id') } })
  })

  test('finds the orders again after somebody else has ended the token', async () => {
    await service.control('PATCH', '/switches', { refreshInvalidates: true })
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    await companion.fetch(get('/orders', 'shopper-1'))
    await client.accessTokens.create()
    const { orders } = (await bodyOf(companion.fetch(get('/orders', 'shopper-1')))) as { orders: unknown[] }
    expect(orders).toHaveLength(1)
  })

  test('gives nothing to another site’s page', async () => {
    const request = get('/orders', 'shopper-1', { 'sec-fetch-site': 'cross-site' })
    expect((await companion.fetch(request)).status).toBe(403)
  })
})

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
      next_paid: true,
    })
    expect(subscriptions[0]).not.toHaveProperty('user_id')
    expect(subscriptions[0]).not.toHaveProperty('raw')
  })

  test('gives an empty list to a shopper who has none', async () => {
    expect(await bodyOf(companion.fetch(get('/subscriptions', 'shopper-3')))).toEqual({ subscriptions: [] })
  })
})

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

  test('passes on that the service refused, without the value', async () => {
    await companion.fetch(post('/user', newUser, 'shopper-1'))
    const response = await companion.fetch(post('/user', newUser, 'shopper-2'))
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain(newUser.email)
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=b', 415],
    ['broken JSON', 'application/json', '{', 400],
    ['an array', 'application/json', '[]', 400],
    ['too much', 'application/json', `{"a":"${'x'.repeat(20_000)}"}`, 413],
  ])('refuses %s', async (_, type, body, status) => {
    const response = await companion.fetch(post('/user', body, 'shopper-1', { 'content-type': type }))
    expect(response.status).toBe(status)
  })

  test('refuses a body that grows beyond the limit without saying so', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(8_192)) })
    const request = new Request(`${mount}/user`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { origin: shopOrigin, 'content-type': 'application/json', cookie: 'shopper=a' },
    } as RequestInit)
    expect((await companion.fetch(request)).status).toBe(413)
  })

  test('creates no second user for a shopper who has one', async () => {
    expect((await companion.fetch(post('/user', newUser, 'shopper-1:user-1'))).status).toBe(409)
    expect((await companion.fetch(get('/user', 'shopper-1'))).status).toBe(404)
  })
})

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

  test('answers 400 to a path that cannot be decoded', async () => {
    expect((await companion.fetch(get('/orders/%E0%A4%A', 'shopper-1'))).status).toBe(400)
  })

  test('answers all the same when the merchant’s onError throws', async () => {
    const onError = (): never => {
      throw new Error('the log is full')
    }
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = companionOf(client, { onError, authorize: () => ({ customId: '' }) })
    expect((await broken.fetch(post('/token', {}))).status).toBe(500)
    expect(printed).toHaveBeenCalledWith('[purchase-widget] Error: the log is full')
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
