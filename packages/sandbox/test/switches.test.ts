// Promise: sandbox/switches
/** Each switch, both sides, seen from outside. One case per value that is not the default. */
import { describe, expect, test as plainTest } from 'vitest'
import type { OrderRecord } from '../src/service/orderRecord.ts'
import { type SwitchName, switchNames, switchTable } from '../src/simulation/switches.ts'
import { must, type Service, test, validUser } from './support/service.ts'

type Value = string | number | boolean
interface Case {
  name: SwitchName
  value: Value
  sees: (service: Service, urls: Urls) => Promise<unknown>
  /** By default. */
  before: unknown
  /** With the switch flipped. */
  after: unknown
}
interface Urls {
  baseUrl: string
  widgetUrl: string
}

const token = expect.stringMatching(/^sandbox_token_/)
const iso = expect.stringMatching(/^2\d{3}-.*Z$/)
const decline = { card_number: '4000 0000 0000 4004' }

const createdToken = async (service: Service): Promise<unknown> => must(service.createAccessToken<unknown>())
const expiry = async (service: Service): Promise<unknown> =>
  must(service.getTokenExpiry<unknown>({ accessToken: await service.token() }))
const infiniteExpiry = async (service: Service): Promise<unknown> =>
  must(service.getTokenExpiry<unknown>({ accessToken: await service.token('infinite') }))
const history = async (service: Service): Promise<unknown> => {
  await service.buy()
  return must(service.getOrderHistory<unknown>({ accessToken: await service.token() }))
}
const subscription = async (service: Service): Promise<unknown> => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  return must(service.getSubscription<unknown>({ custom_id: 'c-1' }))
}
const refusal = async (service: Service): Promise<unknown> => {
  const { status, body } = await service.getTransaction<unknown>({})
  return { status, body }
}
const declined = (service: Service): Promise<unknown> => service.buy({}, decline)
const redirect = async (service: Service): Promise<unknown> => {
  const checkout = await service.openCheckout({
    custom_id: 'c-1',
    redirect_url: 'https://shop.example/thanks?a=1',
    redirect_page: 'self',
  })
  return (await must(service.pay(checkout))).redirect
}
const newWindowRedirect = async (service: Service): Promise<unknown> => {
  const params = { redirect_url: 'https://shop.example/', redirect_page: 'new' }
  return (await must(service.pay(await service.openCheckout(params)))).redirect?.target ?? null
}
const webhooks = async (service: Service): Promise<unknown> => {
  await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
  await service.buy()
  const { body } = await service.control<{ deliveries: { payload: unknown }[] }>('webhooks', undefined, 'GET')
  return body.deliveries.map(({ payload }) => payload)
}
const pageHeader =
  (header: string) =>
  async (_: Service, { widgetUrl }: Urls): Promise<unknown> =>
    (await fetch(`${widgetUrl}/widget/`)).headers.get(header)
const burst = async (service: Service): Promise<unknown> => {
  const accessToken = await service.token()
  // At the same time: one after the other, a busy machine takes longer than the seconds that are counted.
  const asked = Array.from({ length: 100 }, () => service.getOrderHistory<unknown>({ accessToken }))
  const refused = (await Promise.all(asked)).find(({ status }) => status !== 200)
  if (!refused) return 'all answered'
  return { status: refused.status, retryAfter: refused.headers.get('retry-after') }
}
const userStatus = async (service: Service, path: string, { baseUrl }: Urls): Promise<number> => {
  const body = { api_key: 'wrong', email: 'nobody@example.com' }
  const { status } = await service.send('POST', `${baseUrl}${path}/api/user/fetch_user_details`, { body })
  return status
}

const objects = [expect.objectContaining({ type: 'order_complete' })]
const one = expect.objectContaining({ product_id: 'club-monthly' })
const shapedToken = (value: Value, after: unknown): Case => ({
  name: 'tokenResponse',
  value,
  sees: createdToken,
  before: { accessToken: token },
  after,
})
const shapedExpiry = (value: Value, after: unknown): Case => ({
  name: 'expiryResponse',
  value,
  sees: expiry,
  before: { expire_date: iso },
  after,
})
const shapedHistory = (value: Value, after: unknown): Case => ({
  name: 'orderHistory',
  value,
  sees: history,
  before: objects,
  after,
})
const dates = (value: Value, date: unknown): Case => ({
  name: 'dateFormat',
  value,
  sees: async (service) => [await expiry(service), await subscription(service)],
  before: [{ expire_date: iso }, expect.objectContaining({ start_date: iso, next_paid_date: iso })],
  after: [{ expire_date: date }, expect.objectContaining({ start_date: date, next_paid_date: date })],
})
const refusals = (value: Value, after: unknown): Case => ({
  name: 'errorShape',
  value,
  sees: refusal,
  before: { status: 400, body: { error: true, message: expect.any(String) } },
  after,
})
const declines = (value: Value, after: object): Case => ({
  name: 'declineCode',
  value,
  sees: declined,
  before: expect.objectContaining({ fail_reason: '4004' }),
  after: expect.objectContaining(after),
})
const longReturn = `https://shop.example/return?note=${'x'.repeat(300)}`
const returnAddresses = (value: Value, after: unknown): Case => ({
  name: 'returnAddresses',
  value,
  async sees(service) {
    const { id = '' } = await service.buy({ redirect_url: longReturn, fail_redirect_url: longReturn })
    const accessToken = await service.token()
    await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
    await service.flip({ webhookPayload: 'record' })
    await service.buy({ redirect_url: longReturn, fail_redirect_url: longReturn })
    const sent = await service.control<{ deliveries: { payload: OrderRecord }[] }>(
      'webhooks',
      undefined,
      'GET',
    )
    const [transaction, [recorded]] = [
      await must(service.getTransaction({ order_id: id })),
      await must(service.getOrderHistory({ accessToken, order_id: id })),
    ]
    return [transaction, recorded, sent.body.deliveries[0]?.payload].map((order) => [
      order?.redirect_url,
      order?.fail_redirect_url,
    ])
  },
  before: Array(3).fill([longReturn, longReturn]),
  after: Array(3).fill([after, after]),
})
const amounts = (value: Value, after: unknown): Case => ({
  name: 'amounts',
  value,
  async sees(service) {
    const { quote_amount, base_amount } = await service.buy({ base: 'ETH', quote_amount: '49.99' })
    return { quote_amount, base_amount }
  },
  before: { quote_amount: '49.99', base_amount: '0.01562187' },
  after,
})
const retried = async (service: Service): Promise<unknown> => {
  const checkout = await service.openCheckout()
  await must(service.pay(checkout, decline))
  await must(service.pay(checkout))
  return types(service)
}
const renewal = async (service: Service): Promise<unknown> => {
  await service.buy({
    product_id: 'club-monthly',
    redirect_url: 'https://shop.example/thanks',
    fail_redirect_url: 'https://shop.example/sorry',
    redirect_page: 'new',
  })
  await service.advance(31)
  const { body } = await service.control<OrderRecord[]>('orders', undefined, 'GET')
  return body.map(({ redirect_url, fail_redirect_url, redirect_page }) => [
    redirect_url,
    fail_redirect_url,
    redirect_page,
  ])
}
const asBought = ['https://shop.example/thanks', 'https://shop.example/sorry', 'new']
const lookups = async (service: Service): Promise<unknown> => {
  const { id = '' } = await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  await service.buy({ product_id: 'club-yearly', custom_id: 'c-2' })
  const accessToken = await service.token()
  const subscription = { product_id: 'club-monthly', custom_id: 'c-2' }
  return [
    (await must(service.getOrderHistory({ accessToken, order_id: id, custom_id: 'c-2' }))).length,
    (await service.getTransaction({ order_id: id, custom_id: 'c-2' })).status,
    (await service.getSubscription(subscription)).status,
  ]
}
const numberBetween = (low: number, high: number): unknown =>
  expect.toSatisfy((value) => typeof value === 'number' && value > low && value < high)
const withoutCode = expect.not.objectContaining({ code: expect.anything(), error_code: expect.anything() })

const cases: Case[] = [
  shapedToken('access_token', { access_token: token }),
  shapedToken('token', { token }),
  shapedToken('nested', { data: { accessToken: token } }),
  shapedToken('nestedTwice', { data: { data: { accessToken: token } } }),
  shapedToken('bare', token),
  shapedToken('unrecognized', { result: { value: token } }),
  shapedExpiry('expireDate', { expireDate: iso }),
  shapedExpiry('expires_at', { expires_at: iso }),
  shapedExpiry('expiresAt', { expiresAt: iso }),
  shapedExpiry('nested', { data: { expire_date: iso } }),
  shapedExpiry('bare', iso),
  shapedExpiry('unrecognized', { result: { until: iso } }),
  {
    name: 'infiniteExpiry',
    value: 'null',
    sees: infiniteExpiry,
    before: { expire_date: 'infinite' },
    after: { expire_date: null },
  },
  shapedHistory('orders', { orders: objects }),
  shapedHistory('data', { data: objects }),
  shapedHistory('envelope', { error: false, message: '1 orders', data: objects }),
  {
    name: 'orderFields',
    value: 'filled',
    sees: (service) => service.buy(),
    before: expect.objectContaining({ base: '', fail_reason: '', type: 'order_complete' }),
    after: expect.not.objectContaining({ base: expect.anything(), fail_reason: expect.anything() }),
  },
  { name: 'subscriptionResponse', value: 'array', sees: subscription, before: one, after: [one] },
  { name: 'subscriptionResponse', value: 'data', sees: subscription, before: one, after: { data: [one] } },
  dates('epochSeconds', numberBetween(1e9, 1e10)),
  dates('epochMilliseconds', numberBetween(1e12, 1e13)),
  dates('unrecognized', expect.stringMatching(/^day \d+$/)),
  refusals('ok', { status: 200, body: { error: true, message: expect.any(String) } }),
  refusals('okNested', { status: 200, body: { data: { error: true, message: expect.any(String) } } }),
  refusals('text', { status: 400, body: expect.stringContaining('order_id') }),
  declines('failReasonText', { fail_reason: 'Insufficient balance on the card. (code 4004)' }),
  declines('code', { fail_reason: 'Insufficient balance on the card.', code: '4004' }),
  declines('error_code', { fail_reason: 'Insufficient balance on the card.', error_code: '4004' }),
  {
    name: 'declineCode',
    value: 'none',
    sees: declined,
    before: expect.objectContaining({ fail_reason: '4004' }),
    after: withoutCode,
  },
  {
    name: 'refreshInvalidates',
    value: true,
    async sees(service) {
      const first = await service.token()
      await service.token()
      return (await service.getOrderHistory<unknown>({ accessToken: first })).status
    },
    before: 200,
    after: 401,
  },
  {
    name: 'tokenOpens',
    value: 'ownOrders',
    async sees(service) {
      const accessToken = await service.token()
      await service.buy()
      await must(service.pay(await service.openCheckout({}, accessToken)))
      return (await service.getOrderHistory({ accessToken })).body.length
    },
    before: 2,
    after: 1,
  },
  {
    name: 'widgetParams',
    value: 'ignored',
    sees: async (service) => (await service.openCheckout({ product_id: 'btc' })).offer.product_id,
    before: 'btc',
    after: 'gold-100',
  },
  {
    name: 'postsMessages',
    value: true,
    sees: async (service) => (await service.openCheckout()).postsMessages,
    before: false,
    after: true,
  },
  { name: 'redirectTarget', value: 'self', sees: newWindowRedirect, before: '_blank', after: '_self' },
  { name: 'redirectTarget', value: 'none', sees: newWindowRedirect, before: '_blank', after: null },
  {
    name: 'redirectTarget',
    value: 'new',
    sees: redirect,
    before: expect.objectContaining({ target: '_self' }),
    after: expect.objectContaining({ target: '_blank' }),
  },
  {
    name: 'webhookPayload',
    value: 'flat',
    sees: webhooks,
    before: expect.arrayContaining([
      { event: 'order.updated', data: expect.objectContaining({ order_id: expect.any(String) }) },
    ]),
    after: expect.arrayContaining([
      expect.objectContaining({ event: 'order.updated', order_id: expect.any(String) }),
    ]),
  },
  {
    name: 'webhookPayload',
    value: 'record',
    sees: webhooks,
    before: expect.arrayContaining([{ event: 'order.updated', data: expect.anything() }]),
    after: expect.arrayContaining([
      expect.objectContaining({ id: expect.any(String), quote: 'USD', external_user_id: expect.any(String) }),
    ]),
  },
  {
    name: 'webhookDelivery',
    value: 'twice',
    sees: async (service) => ((await webhooks(service)) as unknown[]).length,
    // One for the user, two for the order: started and complete.
    before: 3,
    after: 6,
  },
  {
    name: 'statuses',
    value: 'unlisted',
    async sees(service) {
      await service.createWidgetUser()
      const { body } = await service.fetchUserDetails({ api_key: service.apiKey, email: validUser.email })
      const { status } = (await subscription(service)) as { status: number }
      return [body.data.data.fkyc_status, body.data.data.lkyc_status, status]
    },
    before: ['not initiated', 'success', 1],
    after: ['manual review', 'provisional', 91],
  },
  {
    name: 'regionLists',
    value: 'short',
    sees: async (service) =>
      (await service.createWidgetUser({ api_key: service.apiKey, ...validUser, country_of_residence: 'JPN' }))
        .status,
    before: 200,
    after: 400,
  },
  {
    name: 'rateLimit',
    value: 'retryAfter',
    sees: burst,
    before: 'all answered',
    after: { status: 429, retryAfter: '1' },
  },
  {
    name: 'rateLimit',
    value: 'bare',
    sees: burst,
    before: 'all answered',
    after: { status: 429, retryAfter: null },
  },
  {
    name: 'userOperations',
    value: 'usersHost',
    sees: async (service, urls) => [
      (await service.createWidgetUser<unknown>()).status,
      await userStatus(service, '/users-host', urls),
    ],
    before: [200, 401],
    after: [404, 401],
  },
  {
    name: 'returnQuery',
    value: 'order',
    sees: redirect,
    before: { url: 'https://shop.example/thanks?a=1', target: '_self' },
    after: {
      url: expect.stringMatching(/thanks\?a=1&order_id=\w{26}&custom_id=c-1&type=order_complete$/),
      target: '_self',
    },
  },
  {
    name: 'returnQuery',
    value: 'malformed',
    sees: redirect,
    before: { url: 'https://shop.example/thanks?a=1', target: '_self' },
    after: { url: 'https://shop.example/thanks?a=1&order_id=%E0%A4%A&%%&=&custom_id', target: '_self' },
  },
  {
    name: 'userKeyHeader',
    value: 'optional',
    sees: async (service) =>
      (await service.createWidgetUser({ api_key: service.apiKey, ...validUser }, {})).status,
    before: 401,
    after: 200,
  },
  {
    name: 'hashLookup',
    value: 'refused',
    sees: async (service) => (await service.getTransaction({ hash: (await service.buy()).hash })).status,
    before: 200,
    after: 400,
  },
  returnAddresses('cutAt255', longReturn.slice(0, 255)),
  returnAddresses('withQuery', expect.stringMatching(/^https:.*x&order_id=\w{26}&type=order_\w+$/)),
  returnAddresses('absent', undefined),
  amounts('rounded', { quote_amount: '50.00', base_amount: '0.0156' }),
  amounts('withFees', { quote_amount: '51.74', base_amount: '0.01562187' }),
  {
    name: 'retryAfterDecline',
    value: 'sameOrder',
    sees: retried,
    before: ['order_complete', 'order_failed'],
    after: ['order_complete'],
  },
  {
    name: 'renewalAddresses',
    value: 'copied',
    sees: renewal,
    before: [['', '', ''], asBought],
    after: [asBought, asBought],
  },
  {
    name: 'missingRedirectPage',
    value: 'new',
    sees: async (service) => {
      const checkout = await service.openCheckout({ redirect_url: 'https://shop.example/' })
      return (await must(service.pay(checkout))).redirect?.target
    },
    before: '_self',
    after: '_blank',
  },
  { name: 'lookup', value: 'any', sees: lookups, before: [0, 404, 404], after: [2, 200, 200] },
  {
    name: 'keyPermission',
    value: 'missing',
    sees: async (service) => (await service.getTransaction({ order_id: (await service.buy()).id })).status,
    before: 200,
    after: 403,
  },
  {
    name: 'paymentMs',
    value: 500,
    sees: paymentTold,
    before: { told: ['payment_started', 'order_complete'], lasted: false },
    after: { told: ['payment_started', 'order_complete'], lasted: true },
  },
  {
    name: 'coop',
    value: 'same-origin',
    sees: pageHeader('cross-origin-opener-policy'),
    before: null,
    after: 'same-origin',
  },
  {
    name: 'coop',
    value: 'same-origin-allow-popups',
    sees: pageHeader('cross-origin-opener-policy'),
    before: null,
    after: 'same-origin-allow-popups',
  },
  {
    name: 'xFrameOptions',
    value: 'DENY',
    sees: pageHeader('x-frame-options'),
    before: null,
    after: 'DENY',
  },
  {
    name: 'xFrameOptions',
    value: 'SAMEORIGIN',
    sees: pageHeader('x-frame-options'),
    before: null,
    after: 'SAMEORIGIN',
  },
  {
    name: 'frameAncestors',
    value: 'none',
    sees: pageHeader('content-security-policy'),
    before: expect.not.stringContaining('frame-ancestors'),
    after: expect.stringContaining("frame-ancestors 'none'"),
  },
  {
    name: 'frameAncestors',
    value: 'self',
    sees: pageHeader('content-security-policy'),
    before: expect.not.stringContaining('frame-ancestors'),
    after: expect.stringContaining("frame-ancestors 'self'"),
  },
]

/** What webhooks tell of a payment, and whether half a second lay between: who asks for the order meanwhile may come too late. */
async function paymentTold(service: Service): Promise<unknown> {
  await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
  const { id } = await service.buy()
  const { body } = await service.control<{ deliveries: Told[] }>('webhooks', undefined, 'GET')
  const told = body.deliveries.filter(({ order_id }) => order_id === id).reverse()
  const [began = 0, ended = 0] = told.map(({ at }) => Date.parse(at))
  // A timer may fire a moment early by the clock.
  return { told: told.map(({ payload }) => payload.data.type), lasted: ended - began > 450 }
}

interface Told {
  order_id: string
  at: string
  payload: { data: { type: string } }
}

async function types(service: Service): Promise<string[]> {
  const { body } = await service.control<{ type: string }[]>('orders', undefined, 'GET')
  return body.map(({ type }) => type)
}

describe('each switch is seen from outside', () => {
  for (const { name, value, sees, before, after } of cases)
    test(`${name}: ${value}`, async ({ service, sandbox }) => {
      expect(await sees(service, sandbox.urls)).toEqual(before)
      sandbox.reset()
      await service.flip({ [name]: value })
      expect(await sees(service, sandbox.urls)).toEqual(after)
    })

  plainTest('no value of a switch is without a case, but for the longer times of paymentMs', () => {
    const wanted = switchNames.flatMap((name) =>
      switchTable[name].values
        .slice(1, name === 'paymentMs' ? 2 : undefined)
        .map((value) => `${name}: ${value}`),
    )
    expect(cases.map(({ name, value }) => `${name}: ${value}`).sort()).toEqual(wanted.sort())
  })
})

describe('unlisted order types', () => {
  test('statuses: unlisted gives an order in progress a type that nobody has listed', async ({ service }) => {
    await service.flip({ statuses: 'unlisted', paymentMs: 2_000 })
    const paying = service.pay(await service.openCheckout())
    await expect.poll(() => types(service)).toEqual(['payment_authorized'])
    await paying
    expect(await types(service)).toEqual(['order_complete'])
  })
})

describe('another try after a decline, as the same order', () => {
  test('goes from order_failed over payment_started to order_complete, and spends the limit once', async ({
    service,
  }) => {
    await service.flip({ retryAfterDecline: 'sameOrder', webhookPayload: 'record' })
    await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
    const checkout = await service.openCheckout({ product_id: 'gold-550' })
    const failed = await must(service.pay(checkout, decline))
    const complete = await must(service.pay(checkout))
    expect(complete.order).toEqual({ id: failed.order?.id, type: 'order_complete', decline: null })

    const { body } = await service.control<{ deliveries: { payload: OrderRecord; order_id: string }[] }>(
      'webhooks',
      undefined,
      'GET',
    )
    const told = body.deliveries.filter(({ order_id }) => order_id === complete.order?.id).reverse()
    expect(told.map(({ payload }) => [payload.type, payload.fail_reason])).toEqual([
      ['payment_started', ''],
      ['order_failed', '4004'],
      ['payment_started', ''],
      ['order_complete', ''],
    ])
    expect(complete.remaining).toBe('495.01')
  })

  test('is a new order for another product', async ({ service }) => {
    await service.flip({ retryAfterDecline: 'sameOrder' })
    const checkout = await service.openCheckout({ product_id: 'gold-550' })
    await must(service.pay(checkout, decline))
    await must(service.act(checkout.id, 'offer', { product_id: 'gold-100' }))
    await must(service.pay(checkout))
    expect(await types(service)).toEqual(['order_complete', 'order_failed'])
  })

  test('is a new order for another shopper', async ({ service }) => {
    await service.flip({ retryAfterDecline: 'sameOrder' })
    const checkout = await service.openCheckout({ product_id: 'gold-550' })
    await must(service.pay(checkout, decline))
    await must(service.pay(checkout, { email: 'grace@example.com' }))
    expect(await types(service)).toEqual(['order_complete', 'order_failed'])
  })
})

describe('the list of switches', () => {
  test('says of each its row, its values, its default and its value', async ({ service }) => {
    await service.flip({ coop: 'same-origin' })
    const { body } = await service.control<{ name: string }[]>('switches', undefined, 'GET')
    expect(body.map(({ name }) => name)).toEqual(switchNames)
    expect(body.find(({ name }) => name === 'coop')).toEqual({
      name: 'coop',
      row: 'page',
      description: expect.any(String),
      values: ['none', 'same-origin', 'same-origin-allow-popups'],
      default: 'none',
      value: 'same-origin',
    })
  })

  test('refuses an unknown switch or value by name, and changes nothing then', async ({ service }) => {
    const unknown = await service.control<unknown>('switches', { coop: 'same-origin', nope: 1 }, 'PATCH')
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('nope') },
    })
    const value = await service.control<unknown>('switches', { coop: 'sometimes' }, 'PATCH')
    expect(value).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('coop') },
    })
    const { body } = await service.control<{ name: string; value: unknown }[]>('switches', undefined, 'GET')
    expect(body.find(({ name }) => name === 'coop')?.value).toBe('none')
  })
})
