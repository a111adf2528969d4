/** Each operation of section 4 of the interface: its request, its result, and the credentials with which it is refused. */
import { beforeEach, describe, expect, test } from 'vitest'
import { baseOf } from '../../src/client/operations.ts'
import {
  createPurchaseClient,
  type Order,
  type PurchaseClient,
  type PurchaseClientOptions,
  type Subscription,
} from '../../src/index.ts'
import { declinedCard, newUser, startService } from '../support/service.ts'
import { settings } from '../support/settings.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const { apiKey, secretKey } = service.credentials
const client = service.client()

/** The parts of a request that the interface specifies. */
interface Request {
  method: 'GET' | 'POST'
  path: string
  query?: object
  apiKey?: string
  secretKey?: string
  body?: object
}

/** A `fetch` that records requests and passes them on. */
function recordingFetch(): { fetch: typeof fetch; sent: object[] } {
  const sent: object[] = []
  return {
    sent,
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(String(input))
      const headers = new Headers(init?.headers)
      sent.push({
        method: init?.method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        apiKey: headers.get('api-key'),
        secretKey: headers.get('secret-key'),
        contentType: headers.get('content-type'),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      })
      return fetch(input, init)
    },
  }
}

/** The objects to look up. */
interface Bought {
  accessToken: string
  order: Order
  club: Order
}

interface Row {
  name: string
  call: (client: PurchaseClient, has: Bought) => Promise<unknown>
  request: (has: Bought) => Request
  gives: (has: Bought) => unknown
}

const tokens = '/api/widget/refresh/access_token'
const transactions = '/api/business/transactions'

const rows: Row[] = [
  {
    name: '4.1',
    call: ({ accessTokens }) => accessTokens.create({ expirationDays: '180' }),
    request: () => ({ method: 'POST', path: tokens, apiKey, secretKey, body: { expirationDays: '180' } }),
    gives: () => ({ accessToken: expect.stringMatching(/\S/) }),
  },
  {
    name: '4.2',
    call: ({ accessTokens }, { accessToken }) => accessTokens.expireDate(accessToken),
    request: ({ accessToken }) => ({ method: 'GET', path: `${tokens}/expire_date`, query: { accessToken } }),
    gives: () => ({ expiresAt: expect.any(Date) }),
  },
  ...(['id', 'custom_id'] as const).map((field): Row => {
    const named = ({ order }: Bought): object => ({ [field === 'id' ? 'order_id' : field]: order[field] })
    return {
      name: `4.3 by ${field}`,
      call: ({ orders }, has) => orders.list({ accessToken: has.accessToken, ...named(has) } as never),
      request: (has) => ({
        method: 'GET',
        path: '/api/widget/order_history',
        query: { accessToken: has.accessToken, ...named(has) },
      }),
      gives: ({ order: { id } }) => [expect.objectContaining({ id, type: 'order_complete' })],
    }
  }),
  {
    name: '4.3 of everybody',
    call: ({ orders }, { accessToken }) => orders.listAll({ accessToken }),
    request: ({ accessToken }) => ({
      method: 'GET',
      path: '/api/widget/order_history',
      query: { accessToken },
    }),
    gives: ({ order, club }) =>
      expect.arrayContaining([order, club].map(({ id }) => expect.objectContaining({ id }))),
  },
  ...(['product_id', 'custom_id', 'user_id'] as const).map(
    (field): Row => ({
      name: `4.4 by ${field}`,
      call: ({ subscriptions }, { club }) => subscriptions.retrieve({ [field]: club[field] } as never),
      request: ({ club }) => ({
        method: 'POST',
        path: `${transactions}/user_subscription`,
        apiKey,
        body: { [field]: club[field] },
      }),
      gives: ({ club: { product_id, custom_id, user_id } }) =>
        expect.objectContaining({ product_id, custom_id, user_id }),
    }),
  ),
  ...(['id', 'custom_id', 'hash'] as const).map((field): Row => {
    const named = ({ order }: Bought): object => ({ [field === 'id' ? 'order_id' : field]: order[field] })
    return {
      name: `4.5 by ${field}`,
      call: (client, has) => client.transactions.retrieve(named(has) as never),
      request: (has) => ({ method: 'POST', path: `${transactions}/data`, apiKey, body: named(has) }),
      gives: ({ order: { id } }) => expect.objectContaining({ id, type: 'order_complete', base: 'ETH' }),
    }
  }),
  {
    name: '4.6',
    call: ({ users }) => users.create(newUser),
    request: () => ({
      method: 'POST',
      path: '/api/user/create_widget_user',
      apiKey,
      body: { api_key: apiKey, ...newUser },
    }),
    gives: () => ({ id: expect.any(String), user_id: expect.stringMatching(/^.{26}$/) }),
  },
  ...(['user_id', 'email'] as const).map(
    (field): Row => ({
      name: `4.7 by ${field}`,
      call: ({ users }, { club }) => users.retrieve({ [field]: club[field] } as never),
      request: ({ club }) => ({
        method: 'POST',
        path: '/api/user/fetch_user_details',
        body: { api_key: apiKey, [field]: club[field] },
      }),
      gives: ({ club: { user_id } }) => expect.objectContaining({ user_id }),
    }),
  ),
]

// Promises: interface/4.1, interface/4.2, interface/4.3, interface/4.4, interface/4.5, interface/4.6, interface/4.7
describe('an operation', () => {
  let has: Bought
  beforeEach(async () => {
    const { accessToken } = await client.accessTokens.create({ expirationDays: '7' })
    const crypto = { base: 'ETH', base_amount: '0.01', address: '0x0000000000000000000000000000000000000001' }
    const priced = { quote: 'USD', quote_amount: '30.00', custom_id: 'shopper-1' }
    const order = await service.buy({ product_id: 'eth', ...crypto, ...priced })
    has = {
      accessToken,
      order,
      club: await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-2' }),
    }
  })

  test.each(rows)(
    'sends what section $name specifies, and no other credential',
    async ({ call, request, gives }) => {
      const { fetch, sent } = recordingFetch()
      expect(await call(service.client({ fetch }), has)).toEqual(gives(has))
      const { query = {}, body, ...rest } = request(has)
      const contentType = body === undefined ? null : 'application/json'
      expect(sent).toEqual([{ apiKey: null, secretKey: null, contentType, query, body, ...rest }])
    },
  )
})

// Promise: interface/5
describe('an operation is refused', () => {
  const token = { accessToken: 'unknown' }
  test.each<[string, Partial<PurchaseClientOptions>, (client: PurchaseClient) => Promise<unknown>]>([
    ['accessTokens.create with another API key', { apiKey: 'wrong' }, (of) => of.accessTokens.create()],
    ['accessTokens.create with another secret key', { secretKey: 'wrong' }, (of) => of.accessTokens.create()],
    ['expireDate with an unknown token', {}, (of) => of.accessTokens.expireDate('unknown')],
    ['orders.list with an unknown token', {}, (of) => of.orders.list({ ...token, order_id: 'x' })],
    ['orders.listAll with an unknown token', {}, (of) => of.orders.listAll(token)],
    [
      'subscriptions.list with another key',
      { apiKey: 'wrong' },
      (of) => of.subscriptions.list({ user_id: 'x' }),
    ],
    [
      'transactions.retrieve with another key',
      { apiKey: 'wrong' },
      (of) => of.transactions.retrieve({ hash: 'x' }),
    ],
    ['users.create with another key', { apiKey: 'wrong' }, (of) => of.users.create(newUser)],
    ['users.retrieve with another key', { apiKey: 'wrong' }, (of) => of.users.retrieve({ user_id: 'x' })],
  ])('an operation is refused with a wrong credential: %s', async (_, options, call) => {
    await expect(call(service.client(options))).rejects.toMatchObject({ name: 'ApiError', status: 401 })
  })

  test('an operation is refused for a key without the permission (5.3), and for an unknown order', async () => {
    await expect(client.transactions.retrieve({ order_id: 'unknown' })).rejects.toMatchObject({ status: 404 })
    await service.control('PATCH', '/switches', { keyPermission: 'missing' })
    await expect(client.subscriptions.list({ user_id: 'x' })).rejects.toMatchObject({ status: 403 })
    await expect(client.transactions.retrieve({ order_id: 'x' })).rejects.toMatchObject({ status: 403 })
  })

  test('an operation is refused by an answer with error, as user details are', async () => {
    await service.control('PATCH', '/switches', { errorShape: 'ok' })
    await client.users.create(newUser)
    for (const [name, call] of [
      ['users.create', client.users.create(newUser)],
      ['users.retrieve', client.users.retrieve({ email: 'nobody@example.com' })],
    ] as const)
      await expect(call).rejects.toMatchObject({
        name: 'ApiError',
        status: 200,
        message: `${name}: the service answered 200 with an error.`,
      })
  })
})

test.each([
  [undefined, 30],
  ['7', 7],
  ['30', 30],
  ['180', 180],
  ['365', 365],
  ['infinite', null],
] as const)('a token for %s days lives for %s', async (expirationDays, days) => {
  const { accessToken } = await client.accessTokens.create(expirationDays ? { expirationDays } : {})
  const { expiresAt } = await client.accessTokens.expireDate(accessToken)
  expect(expiresAt && Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(days)
})

test('returns every field of a subscription, with dates as dates', async () => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
  const subscriptions = await client.subscriptions.list({ custom_id: 'shopper-1' })
  const date = (written: unknown): Date => new Date(String(written))
  expect(subscriptions.map(({ raw }) => Object.keys(raw).length)).toEqual([12])
  expect(subscriptions).toEqual(
    subscriptions.map(({ raw }) => ({
      ...raw,
      start_date: date(raw.start_date),
      last_paid_date: date(raw.last_paid_date),
      next_paid_date: date(raw.next_paid_date),
      expire_date: date(raw.expire_date),
      raw,
    })),
  )
})

test('reports that a payment has failed, and then that nothing renews any more', async () => {
  const declinedAtRenewal = '4000000000000341'
  await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' }, declinedAtRenewal)
  const read = (): Promise<Subscription | null> => client.subscriptions.retrieve({ custom_id: 'shopper-1' })
  const passUntil = (date: Date | undefined): Promise<unknown> =>
    service.control('POST', '/clock', { now: date?.toISOString() })
  const initial = await read()
  expect(initial).toMatchObject({ failed_to_paid: false, next_paid: true })
  await passUntil(initial?.next_paid_date)
  expect(await read()).toMatchObject({ failed_to_paid: true, next_paid: true })
  await passUntil(initial?.expire_date)
  expect(await read()).toMatchObject({ failed_to_paid: true, next_paid: false })
})

test('returns every field of an order as the service wrote it, as text except for partner_data', async () => {
  const params = {
    product_id: 'eth',
    custom_id: 'shopper-1',
    city: 'Oakland',
    street: '1 Lake Street',
    postal_code: '94601',
    utm_source: 'newsletter',
    clickID: 'click-1',
    campaignID: 'campaign-1',
    redirect_url: 'https://shop.example/thanks',
    fail_redirect_url: 'https://shop.example/sorry',
    redirect_page: 'new',
  }
  const seen = new Set<string>()
  // A paid order has no fail_reason, and a failed one no hash.
  for (const card of [undefined, declinedCard('4004')]) {
    const { id } = await service.buy(params, card)
    const { raw, ...order } = await client.transactions.retrieve({ order_id: id })
    // Blank fields of the answer are omitted.
    expect(order).toEqual(Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== '')))
    for (const [field, value] of Object.entries(order)) {
      seen.add(field)
      expect([field, typeof value]).toEqual([field, field === 'partner_data' ? 'object' : 'string'])
    }
  }
  expect(seen.size).toBe(29)
})

test('returns every field of a user, with phone and card as the service masks them', async () => {
  const order = await service.buy({ product_id: 'gold-100' })
  const { raw, ...user } = await client.users.retrieve({ user_id: order.user_id ?? '' })
  expect(Object.keys(raw)).toHaveLength(9)
  expect(user).toEqual(raw)
  const amount = expect.stringMatching(/^\d+(\.\d+)?$/)
  const card = {
    card_id: expect.stringMatching(/^\w+\*+\w+$/),
    brand: expect.any(String),
    last_digits: '4242',
  }
  expect(user).toMatchObject({
    phone: expect.stringMatching(/^\+\d+\*+\d+$/),
    country: 'USA',
    fkyc_status: 'not initiated',
    lkyc_status: 'success',
    limits: {
      crypto_remaining: amount,
      crypto_spending: amount,
      digital_goods_remaining: amount,
      digital_goods_spending: '0.99',
    },
    linked_payment_methods: [{ method: 'bank_card', cards: [card] }],
  })
})

describe('configuration', () => {
  test.each(['apiKey', 'secretKey'] as const)('the configuration requires a %s', (key) => {
    expect(() => service.client({ [key]: ' ' })).toThrow(key)
  })

  test.each([
    ['http://api.example', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user:pass@api.example', /user name/],
    ['https://api.example?x=1', /query/],
    ['https://api.example/?', /query/],
    ['https://api.example/#', /fragment/],
    ['api.example', /full address/],
  ])('refuses the address %s', (address, message) => {
    for (const option of ['widgetUrl', 'widgetApiUrl', 'baseUrl', 'userBaseUrl']) {
      expect(() => createPurchaseClient({ ...settings, [option]: address })).toThrow(message)
    }
  })

  test.each([
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be a whole number from 1 to 600000'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ maxRetries: -1 }, 'maxRetries must be a whole number from 0 to 10'],
    [{ maxRetries: '2' }, 'maxRetries'],
    [{ maxRetries: 11 }, 'maxRetries'],
  ])('refuses %o', (option, message) => {
    expect(() => createPurchaseClient({ ...settings, ...option } as never)).toThrow(message)
  })

  test('without options it names what it needs', () => {
    expect(() => createPurchaseClient(undefined as never)).toThrow(
      'the options of createPurchaseClient must be an object, at least { widgetUrl, widgetApiUrl, baseUrl, apiKey, secretKey }.',
    )
  })

  test('removes the slashes at the end of an address, and only there, however many there are', () => {
    const at = (widgetUrl: string): string => createPurchaseClient({ ...settings, widgetUrl }).widgetUrl
    expect(at('https://widget.example///')).toBe('https://widget.example')
    expect(at('https://widget.example//shop//')).toBe('https://widget.example//shop')
    const before = process.cpuUsage()
    at(`https://widget.example${'/'.repeat(640_000)}x`)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
  })

  test('sends user operations to their own address when there is one (U17)', async () => {
    const other = await startService()
    await service
      .client({ userBaseUrl: other.urls.baseUrl, apiKey: other.credentials.apiKey })
      .users.create(newUser)
    expect(await other.count('createWidgetUser')).toBe(1)
    await other.close()
  })
})

test('each operation has the address of its part of the service, and work of the shop has none', () => {
  const names = ['orders.list', 'subscriptions.list', 'users.create', 'onOrder']
  expect(names.map(baseOf)).toEqual(['widgetApiUrl', 'baseUrl', 'userBaseUrl', undefined])
})
