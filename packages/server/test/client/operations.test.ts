/** Each operation of section 4 of the interface: what it sends, and each thing that it requires, missing. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createPurchaseClient,
  type ExpirationDays,
  type PurchaseClient,
  type Subscription,
} from '../../src/index.ts'
import { recordingFetch, type Sent } from '../support/recorder.ts'
import { declinedCard, newUser, startService } from '../support/service.ts'
import { settings } from '../support/settings.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let sent: Sent[]
let apiKey: string
let secretKey: string

beforeAll(() => {
  apiKey = service.credentials.apiKey
  secretKey = service.credentials.secretKey
})
beforeEach(() => {
  const recorder = recordingFetch()
  sent = recorder.sent
  client = service.client({ fetch: recorder.fetch })
})

/** Everything of the one request that the interface has a word about. */
function onlyRequest(): object {
  expect(sent).toHaveLength(1)
  return sent.map(({ method, url, headers, body }) => ({
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    apiKey: headers.get('api-key'),
    secretKey: headers.get('secret-key'),
    contentType: headers.get('content-type'),
    body,
  }))[0] as object
}

async function expectNothingSent(call: () => Promise<unknown>, message: RegExp): Promise<void> {
  await expect(call()).rejects.toMatchObject({
    name: 'InvalidInputError',
    message: expect.stringMatching(message),
  })
  expect(sent).toHaveLength(0)
}

/** Calls with a missing argument, as untyped code can. */
const untyped = (call: unknown): ((input: unknown) => Promise<unknown>) =>
  call as (input: unknown) => Promise<unknown>

// Promise: interface/4.1
describe('create access token (4.1)', () => {
  test('sends both keys as headers and the days in the body', async () => {
    const { accessToken } = await client.accessTokens.create({ expirationDays: '180' })
    expect(accessToken).toMatch(/\S/)
    expect(onlyRequest()).toEqual({
      method: 'POST',
      path: '/api/widget/refresh/access_token',
      query: {},
      apiKey,
      secretKey,
      contentType: 'application/json',
      body: { expirationDays: '180' },
    })
  })

  test('leaves the days to the service, which gives 30', async () => {
    const { accessToken } = await client.accessTokens.create()
    expect(sent[0]?.body).toEqual({})
    const { expiresAt } = await client.accessTokens.expireDate(accessToken)
    const days = ((expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
  })

  test.each(['7', '30', '180', '365', 'infinite'] as const)('accepts %s days', async (expirationDays) => {
    await expect(client.accessTokens.create({ expirationDays })).resolves.toHaveProperty('accessToken')
  })

  test('refuses any other number of days before sending', () =>
    expectNothingSent(
      () => client.accessTokens.create({ expirationDays: '8' as ExpirationDays }),
      /expirationDays/,
    ))

  test.each(['apiKey', 'secretKey'] as const)('is refused with a wrong %s', async (key) => {
    const unauthorized = service.client({ [key]: 'wrong' })
    await expect(unauthorized.accessTokens.create()).rejects.toMatchObject({ name: 'ApiError', status: 401 })
  })

  test.each(['apiKey', 'secretKey'] as const)('cannot be called without a %s', (key) => {
    expect(() => service.client({ [key]: ' ' })).toThrow(key)
  })
})

// Promise: interface/4.2
describe('access token expiry date (4.2)', () => {
  test('sends the token as a query and no key', async () => {
    const { accessToken } = await service.client().accessTokens.create({ expirationDays: '7' })
    const { expiresAt } = await client.accessTokens.expireDate(accessToken)
    expect(expiresAt).toBeInstanceOf(Date)
    expect(onlyRequest()).toEqual({
      method: 'GET',
      path: '/api/widget/refresh/access_token/expire_date',
      query: { accessToken },
      apiKey: null,
      secretKey: null,
      contentType: null,
      body: undefined,
    })
  })

  test('gives null for a token that never expires', async () => {
    const { accessToken } = await client.accessTokens.create({ expirationDays: 'infinite' })
    await expect(client.accessTokens.expireDate(accessToken)).resolves.toEqual({ expiresAt: null })
  })

  test('refuses a missing token before sending', () =>
    expectNothingSent(() => untyped(client.accessTokens.expireDate)(undefined), /accessToken/))

  test('is refused with an unknown token', async () => {
    await expect(client.accessTokens.expireDate('unknown')).rejects.toMatchObject({
      name: 'ApiError',
      status: 401,
    })
  })
})

// Promise: interface/4.3
describe('order history (4.3)', () => {
  const token = async (): Promise<string> => (await service.client().accessTokens.create()).accessToken

  test.each(['order_id', 'custom_id'] as const)('sends the token and %s as a query', async (field) => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-2' })
    const accessToken = await token()
    const value = field === 'order_id' ? order.id : 'shopper-1'
    const orders = await client.orders.list({ accessToken, [field]: value } as never)
    expect(orders).toMatchObject([{ id: order.id, custom_id: 'shopper-1', type: 'order_complete' }])
    expect(onlyRequest()).toEqual({
      method: 'GET',
      path: '/api/widget/order_history',
      query: { accessToken, [field]: value },
      apiKey: null,
      secretKey: null,
      contentType: null,
      body: undefined,
    })
  })

  test('lists every order only when asked for all', async () => {
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-2' })
    const accessToken = await token()
    await expect(client.orders.listAll({ accessToken })).resolves.toHaveLength(2)
    expect(onlyRequest()).toMatchObject({ query: { accessToken } })
  })

  test('refuses a missing filter before sending', () =>
    expectNothingSent(
      () => untyped(client.orders.list)({ accessToken: 'x' }),
      /order_id or custom_id.*listAll/,
    ))

  test('refuses a missing token before sending', () =>
    expectNothingSent(() => untyped(client.orders.list)({ order_id: 'x' }), /accessToken/))

  test('refuses a misspelt filter before sending', () =>
    expectNothingSent(
      () => untyped(client.orders.list)({ accessToken: 'x', order_id: 'x', customId: 'y' }),
      /customId/,
    ))

  test('is refused with an unknown token', async () => {
    await expect(client.orders.list({ accessToken: 'unknown', order_id: 'x' })).rejects.toMatchObject({
      status: 401,
    })
    await expect(client.orders.listAll({ accessToken: 'unknown' })).rejects.toMatchObject({ status: 401 })
  })
})

// Promise: interface/4.4
describe('subscription detail (4.4)', () => {
  test.each(['product_id', 'custom_id', 'user_id'] as const)(
    'sends the key as a header and %s',
    async (field) => {
      const order = await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
      const value = order[field] ?? ''
      const subscription = await client.subscriptions.retrieve({ [field]: value } as never)
      expect(subscription).toMatchObject({
        product_id: 'club-monthly',
        custom_id: 'shopper-1',
        user_id: order.user_id,
        start_date: expect.any(Date),
        next_paid_date: expect.any(Date),
        status: expect.any(Number),
        failed_to_paid: false,
        next_paid: true,
      })
      expect(onlyRequest()).toEqual({
        method: 'POST',
        path: '/api/business/transactions/user_subscription',
        query: {},
        apiKey,
        secretKey: null,
        contentType: 'application/json',
        body: { [field]: value },
      })
    },
  )

  test('gives every field of a subscription, its dates as dates', async () => {
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

  test('tells that a payment has failed, and then that nothing renews any more', async () => {
    const declinedAtRenewal = '4000000000000341'
    await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' }, declinedAtRenewal)
    const read = (): Promise<Subscription | null> => client.subscriptions.retrieve({ custom_id: 'shopper-1' })
    const passUntil = (date: Date | undefined): Promise<unknown> =>
      service.control('POST', '/clock', { now: date?.toISOString() })
    const begun = await read()
    expect(begun).toMatchObject({ failed_to_paid: false, next_paid: true })
    await passUntil(begun?.next_paid_date)
    expect(await read()).toMatchObject({ failed_to_paid: true, next_paid: true })
    await passUntil(begun?.expire_date)
    expect(await read()).toMatchObject({ failed_to_paid: true, next_paid: false })
  })

  test('refuses a query without any of the three before sending', async () => {
    await expectNothingSent(() => untyped(client.subscriptions.list)({}), /product_id, custom_id and user_id/)
    await expectNothingSent(
      () => untyped(client.subscriptions.retrieve)({}),
      /product_id, custom_id and user_id/,
    )
  })

  test('is refused with a wrong key', async () => {
    const unauthorized = service.client({ apiKey: 'wrong' })
    await expect(unauthorized.subscriptions.list({ user_id: 'x' })).rejects.toMatchObject({ status: 401 })
  })

  test('is refused for a key without the permission (5.3)', async () => {
    await service.control('PATCH', '/switches', { keyPermission: 'missing' })
    await expect(client.subscriptions.list({ user_id: 'x' })).rejects.toMatchObject({ status: 403 })
  })
})

// Promise: interface/4.5
describe('transaction detail (4.5)', () => {
  test.each(['order_id', 'custom_id', 'hash'] as const)('sends the key as a header and %s', async (field) => {
    const order = await service.buy({
      product_id: 'eth',
      custom_id: 'shopper-1',
      base: 'ETH',
      base_amount: '0.01',
      quote: 'USD',
      quote_amount: '30.00',
      address: '0x0000000000000000000000000000000000000001',
    })
    const value = (field === 'order_id' ? order.id : order[field]) ?? ''
    await expect(client.transactions.retrieve({ [field]: value } as never)).resolves.toMatchObject({
      id: order.id,
      type: 'order_complete',
      base: 'ETH',
    })
    expect(onlyRequest()).toEqual({
      method: 'POST',
      path: '/api/business/transactions/data',
      query: {},
      apiKey,
      secretKey: null,
      contentType: 'application/json',
      body: { [field]: value },
    })
  })

  test('gives every field of an order as the service wrote it, text but for partner_data', async () => {
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
      // What is blank in the answer is left out.
      expect(order).toEqual(Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== '')))
      for (const [field, value] of Object.entries(order)) {
        seen.add(field)
        expect([field, typeof value]).toEqual([field, field === 'partner_data' ? 'object' : 'string'])
      }
    }
    expect(seen.size).toBe(29)
  })

  test('refuses a query without any of the three before sending', () =>
    expectNothingSent(() => untyped(client.transactions.retrieve)({}), /order_id, custom_id and hash/))

  test('is refused with a wrong key', async () => {
    const unauthorized = service.client({ apiKey: 'wrong' })
    await expect(unauthorized.transactions.retrieve({ order_id: 'x' })).rejects.toMatchObject({ status: 401 })
  })

  test('is refused for a key without the permission (5.3)', async () => {
    await service.control('PATCH', '/switches', { keyPermission: 'missing' })
    await expect(client.transactions.retrieve({ order_id: 'x' })).rejects.toMatchObject({ status: 403 })
  })

  test('rejects for an unknown order', async () => {
    await expect(client.transactions.retrieve({ order_id: 'unknown' })).rejects.toMatchObject({ status: 404 })
  })
})

// Promise: interface/4.6
describe('create widget user (4.6)', () => {
  test('sends the key as a header and in the body, with all fields', async () => {
    const created = await client.users.create(newUser)
    expect(created).toEqual({ id: expect.any(String), user_id: expect.stringMatching(/^.{26}$/) })
    expect(onlyRequest()).toEqual({
      method: 'POST',
      path: '/api/user/create_widget_user',
      query: {},
      apiKey,
      secretKey: null,
      contentType: 'application/json',
      body: { api_key: apiKey, ...newUser },
    })
  })

  test.each(Object.keys(newUser) as (keyof typeof newUser)[])(
    'refuses a missing %s before sending',
    (field) => {
      const { [field]: _, ...rest } = newUser
      return expectNothingSent(() => untyped(client.users.create)(rest), new RegExp(field))
    },
  )

  test.each([
    ['phone', '4155550123'],
    ['first_name', ' '],
    ['last_name', ''],
    ['date_of_birth', '1990-02-30'],
    ['date_of_birth', '10/12/1990'],
    ['country_of_residence', 'US'],
    ['email', 'ada'],
    ['state_of_residence', 'California'],
  ])('refuses %s "%s" before sending', (field, value) =>
    expectNothingSent(() => client.users.create({ ...newUser, [field]: value }), new RegExp(field)),
  )

  test('is refused with a wrong key', async () => {
    const unauthorized = service.client({ apiKey: 'wrong' })
    await expect(unauthorized.users.create(newUser)).rejects.toMatchObject({ name: 'ApiError', status: 401 })
  })

  test('is refused by an answer with error, as user details are', async () => {
    await service.control('PATCH', '/switches', { errorShape: 'ok' })
    await client.users.create(newUser)
    await expect(client.users.create(newUser)).rejects.toMatchObject({
      name: 'ApiError',
      status: 200,
      message: 'users.create: the service answered 200 with an error.',
    })
    await expect(client.users.retrieve({ email: 'nobody@example.com' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 200,
      message: 'users.retrieve: the service answered 200 with an error.',
    })
  })
})

// Promise: interface/4.7
describe('fetch user details (4.7)', () => {
  test.each(['user_id', 'email'] as const)('sends the key in the body only, and %s', async (field) => {
    const { user_id } = await service.client().users.create(newUser)
    const value = field === 'user_id' ? user_id : newUser.email
    const user = await client.users.retrieve({ [field]: value } as never)
    expect(user).toMatchObject({
      user_id,
      country: 'USA',
      fkyc_status: 'not initiated',
      lkyc_status: 'success',
      limits: {
        crypto_remaining: expect.stringMatching(/^\d+(\.\d+)?$/),
        crypto_spending: expect.stringMatching(/^\d+(\.\d+)?$/),
        digital_goods_remaining: expect.stringMatching(/^\d+(\.\d+)?$/),
        digital_goods_spending: expect.stringMatching(/^\d+(\.\d+)?$/),
      },
      linked_payment_methods: [],
    })
    expect(onlyRequest()).toEqual({
      method: 'POST',
      path: '/api/user/fetch_user_details',
      query: {},
      apiKey: null,
      secretKey: null,
      contentType: 'application/json',
      body: { api_key: apiKey, [field]: value },
    })
  })

  test('gives every field of a user, with phone and card as the service masks them', async () => {
    const order = await service.buy({ product_id: 'gold-100' })
    const { raw, ...user } = await client.users.retrieve({ user_id: order.user_id ?? '' })
    expect(Object.keys(raw)).toHaveLength(9)
    expect(user).toEqual(raw)
    expect(user).toMatchObject({
      phone: expect.stringMatching(/^\+\d+\*+\d+$/),
      limits: { digital_goods_spending: '0.99' },
      linked_payment_methods: [{ cards: [{ card_id: expect.stringMatching(/^\w+\*+\w+$/) }] }],
    })
  })

  test('gives the cards that were used, masked', async () => {
    const order = await service.buy({ product_id: 'gold-100' })
    const { linked_payment_methods } = await client.users.retrieve({ user_id: order.user_id ?? '' })
    expect(linked_payment_methods).toMatchObject([
      { method: 'bank_card', cards: [{ brand: expect.any(String), last_digits: '4242' }] },
    ])
  })

  test('refuses neither and both before sending', async () => {
    await expectNothingSent(() => untyped(client.users.retrieve)({}), /user_id or email/)
    await expectNothingSent(
      () => untyped(client.users.retrieve)({ user_id: 'x', email: 'y' }),
      /user_id or email/,
    )
  })

  test('is refused with a wrong key', async () => {
    const unauthorized = service.client({ apiKey: 'wrong' })
    await expect(unauthorized.users.retrieve({ user_id: 'x' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 401,
    })
  })
})

// Promise: interface/5
describe('configuration', () => {
  test.each([
    ['http://api.example', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user:pass@api.example', /user name/],
    ['https://api.example?x=1', /query/],
    ['api.example', /full address/],
  ])('refuses the address %s', (address, message) => {
    for (const option of ['widgetUrl', 'widgetApiUrl', 'baseUrl', 'userBaseUrl']) {
      expect(() => createPurchaseClient({ ...settings, [option]: address })).toThrow(message)
    }
  })

  test('takes the slashes off the end of an address, and only there', () => {
    const at = (widgetUrl: string): string => createPurchaseClient({ ...settings, widgetUrl }).widgetUrl
    expect(at('https://widget.example')).toBe('https://widget.example')
    expect(at('https://widget.example///')).toBe('https://widget.example')
    expect(at('https://widget.example//shop//')).toBe('https://widget.example//shop')
  })

  test('reads an address with very many slashes in well under a second of the processor’s time', () => {
    for (const length of [64_000, 640_000]) {
      const before = process.cpuUsage()
      createPurchaseClient({ ...settings, widgetUrl: `https://widget.example${'/'.repeat(length)}x` })
      expect(process.cpuUsage(before).user / 1_000, `${length} slashes`).toBeLessThan(1_000)
    }
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
