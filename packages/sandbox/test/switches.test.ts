// Promise: sandbox/switches
/** The visible effect of each switch at each of its values. */
import { expect, test as plainTest } from 'vitest'
import type { OrderRecord } from '../src/service/orderRecord.ts'
import { type SwitchName, switchNames, switchTable } from '../src/simulation/switches.ts'
import { must, type Service, test, validUser } from './support/service.ts'

interface Urls {
  baseUrl: string
  widgetUrl: string
}
/** Reads the visible effect of a switch. */
type See = (service: Service, urls: Urls) => Promise<unknown>

const token = expect.stringMatching(/^sandbox_token_/)
const iso = expect.stringMatching(/^2\d{3}-.*Z$/)
const text = expect.any(String)
const decline = { card_number: '4000 0000 0000 4004' }
const shop = 'https://shop.example'

const createdToken: See = (service) => must(service.createAccessToken<unknown>())
const expiry: See = async (service) =>
  must(service.getTokenExpiry<unknown>({ accessToken: await service.token() }))
const infiniteExpiry: See = async (service) =>
  must(service.getTokenExpiry<unknown>({ accessToken: await service.token('infinite') }))
const history: See = async (service) => {
  await service.buy()
  return must(service.getOrderHistory<unknown>({ accessToken: await service.token() }))
}
const subscription = async (service: Service): Promise<Record<string, unknown>> => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  return must(service.getSubscription({ custom_id: 'c-1' }))
}
const dates: See = async (service, urls) => [await expiry(service, urls), await subscription(service)]
const datesAre = (date: unknown): unknown => [
  { expire_date: date },
  expect.objectContaining({ start_date: date, next_paid_date: date }),
]
const refusal: See = async (service) => {
  const { status, body } = await service.getTransaction<unknown>({})
  return { status, body }
}
const redirectOf = async (service: Service, params: Record<string, string>) =>
  (await must(service.pay(await service.openCheckout({ redirect_url: `${shop}/`, ...params })))).redirect
/** Reads where the return address opens for each of these parameters. */
const targets =
  (...all: Record<string, string>[]): See =>
  (service) =>
    Promise.all(all.map(async (params) => (await redirectOf(service, params))?.target ?? null))
const deliveries = async <Payload>(service: Service) =>
  (await service.read<{ deliveries: { payload: Payload; order_id: string; at: string }[] }>('webhooks'))
    .deliveries
const webhooks = async (service: Service): Promise<unknown[]> => {
  await service.set('webhooks', { url: 'http://127.0.0.1:9/' })
  await service.buy()
  return (await deliveries(service)).map(({ payload }) => payload)
}
const pageHeader =
  (header: string): See =>
  async (_, { widgetUrl }) =>
    (await fetch(`${widgetUrl}/widget/`)).headers.get(header)
const burst: See = async (service) => {
  const accessToken = await service.token()
  // Concurrently: in sequence, a busy machine would take longer than the rate limit's window.
  const asked = Array.from({ length: 100 }, () => service.getOrderHistory<unknown>({ accessToken }))
  const refused = (await Promise.all(asked)).find(({ status }) => status !== 200)
  if (!refused) return 'all answered'
  return { status: refused.status, retryAfter: refused.headers.get('retry-after') }
}
const userOperations: See = async (service, { baseUrl }) => {
  const body = { api_key: 'wrong', email: 'nobody@example.com' }
  const { status } = await service.send('POST', `${baseUrl}/users-host/api/user/fetch_user_details`, { body })
  return [(await service.createWidgetUser<unknown>()).status, status]
}
const tokenReplaced: See = async (service) => {
  const first = await service.token()
  await service.token()
  return (await service.getOrderHistory<unknown>({ accessToken: first })).status
}
const ordersOpened: See = async (service) => {
  const accessToken = await service.token()
  await service.buy()
  await must(service.pay(await service.openCheckout({}, accessToken)))
  return (await service.getOrderHistory({ accessToken })).body.length
}
const statuses: See = async (service) => {
  await service.createWidgetUser()
  const { fkyc_status, lkyc_status } = await service.user(validUser.email)
  return [fkyc_status, lkyc_status, (await subscription(service)).status]
}
const userStatus =
  (fields: object, headers?: Record<string, string>): See =>
  async (service) =>
    (await service.createWidgetUser({ api_key: service.apiKey, ...validUser, ...fields }, headers)).status
const longReturn = `${shop}/return?note=${'x'.repeat(300)}`
/** Reads them from the transaction, the history and a webhook. */
const returnAddresses: See = async (service) => {
  const params = { redirect_url: longReturn, fail_redirect_url: longReturn }
  const { id = '' } = await service.buy(params)
  await service.set('webhooks', { url: 'http://127.0.0.1:9/' })
  await service.flip({ webhookPayload: 'record' })
  await service.buy(params)
  const [sent] = await deliveries<OrderRecord>(service)
  const recorded = await must(service.getOrderHistory({ accessToken: await service.token(), order_id: id }))
  const orders = [await must(service.getTransaction({ order_id: id })), recorded[0], sent?.payload]
  return orders.map((order) => [order?.redirect_url, order?.fail_redirect_url])
}
const threeTimes = (address: unknown): unknown => Array(3).fill([address, address])
const amounts: See = async (service) => {
  const { quote_amount, base_amount } = await service.buy({ base: 'ETH', quote_amount: '49.99' })
  return { quote_amount, base_amount }
}
const retried: See = async (service) => {
  const checkout = await service.openCheckout()
  await must(service.pay(checkout, decline))
  await must(service.pay(checkout))
  return service.orderTypes()
}
const bought = { redirect_url: `${shop}/thanks`, fail_redirect_url: `${shop}/sorry`, redirect_page: 'new' }
const noAddresses = { redirect_url: '', fail_redirect_url: '', redirect_page: '' }
const renewal: See = async (service) => {
  await service.buy({ product_id: 'club-monthly', ...bought })
  await service.advance(31)
  return service.read('orders')
}
const ordersWith = (...addresses: object[]): unknown => addresses.map((one) => expect.objectContaining(one))
const lookups: See = async (service) => {
  const { id = '' } = await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  await service.buy({ product_id: 'club-yearly', custom_id: 'c-2' })
  const accessToken = await service.token()
  return [
    (await must(service.getOrderHistory({ accessToken, order_id: id, custom_id: 'c-2' }))).length,
    (await service.getTransaction({ order_id: id, custom_id: 'c-2' })).status,
    (await service.getSubscription({ product_id: 'club-monthly', custom_id: 'c-2' })).status,
  ]
}
/** The states that webhooks report for a payment, and whether half a second separated them; polling the order could come too late. */
const paymentWebhooks: See = async (service) => {
  await service.set('webhooks', { url: 'http://127.0.0.1:9/' })
  const { id } = await service.buy()
  const all = await deliveries<{ data: { type: string } }>(service)
  const sent = all.filter(({ order_id }) => order_id === id).reverse()
  const [began = 0, ended = 0] = sent.map(({ at }) => Date.parse(at))
  // A timer may fire slightly early by the clock.
  return { sent: sent.map(({ payload }) => payload.data.type), lasted: ended - began > 450 }
}
const sent = ['payment_started', 'order_complete']

const between = (low: number, high: number): unknown =>
  expect.toSatisfy((value) => typeof value === 'number' && value > low && value < high)
const having = (fields: object): unknown => expect.objectContaining(fields)
const including = (...items: unknown[]): unknown => expect.arrayContaining(items)
const orders = [having({ type: 'order_complete' })]
const club = having({ product_id: 'club-monthly' })
const refused = { error: true, message: text }
const balance = 'Insufficient balance on the card.'

/** How to read each switch's effect, the effect by default, and the effect of each other value. */
const cases: Record<SwitchName, [sees: See, byDefault: unknown, otherwise: Record<string, unknown>]> = {
  tokenResponse: [
    createdToken,
    { accessToken: token },
    {
      access_token: { access_token: token },
      token: { token },
      nested: { data: { accessToken: token } },
      nestedTwice: { data: { data: { accessToken: token } } },
      bare: token,
      unrecognized: { result: { value: token } },
    },
  ],
  expiryResponse: [
    expiry,
    { expire_date: iso },
    {
      expireDate: { expireDate: iso },
      expires_at: { expires_at: iso },
      expiresAt: { expiresAt: iso },
      nested: { data: { expire_date: iso } },
      bare: iso,
      unrecognized: { result: { until: iso } },
    },
  ],
  infiniteExpiry: [infiniteExpiry, { expire_date: 'infinite' }, { null: { expire_date: null } }],
  orderHistory: [
    history,
    orders,
    {
      orders: { orders },
      data: { data: orders },
      envelope: { error: false, message: '1 orders', data: orders },
    },
  ],
  orderFields: [
    (service) => service.buy(),
    having({ base: '', fail_reason: '', type: 'order_complete' }),
    {
      filled: expect.not.objectContaining({ base: expect.anything(), fail_reason: expect.anything() }),
    },
  ],
  subscriptionResponse: [subscription, club, { array: [club], data: { data: [club] } }],
  dateFormat: [
    dates,
    datesAre(iso),
    {
      epochSeconds: datesAre(between(1e9, 1e10)),
      epochMilliseconds: datesAre(between(1e12, 1e13)),
      unrecognized: datesAre(expect.stringMatching(/^day \d+$/)),
    },
  ],
  errorShape: [
    refusal,
    { status: 400, body: refused },
    {
      ok: { status: 200, body: refused },
      okNested: { status: 200, body: { data: refused } },
      text: { status: 400, body: expect.stringContaining('order_id') },
    },
  ],
  declineCode: [
    (service) => service.buy({}, decline),
    having({ fail_reason: '4004' }),
    {
      failReasonText: having({ fail_reason: `${balance} (code 4004)` }),
      code: having({ fail_reason: balance, code: '4004' }),
      error_code: having({ fail_reason: balance, error_code: '4004' }),
      none: expect.not.objectContaining({ code: expect.anything(), error_code: expect.anything() }),
    },
  ],
  refreshInvalidates: [tokenReplaced, 200, { true: 401 }],
  tokenOpens: [ordersOpened, 2, { ownOrders: 1 }],
  widgetParams: [
    async (service) => (await service.openCheckout({ product_id: 'btc' })).offer.product_id,
    'btc',
    { ignored: 'gold-100' },
  ],
  postsMessages: [async (service) => (await service.openCheckout()).postsMessages, false, { true: true }],
  redirectTarget: [
    targets({ redirect_page: 'new' }, { redirect_page: 'self' }),
    ['_blank', '_self'],
    { self: ['_self', '_self'], new: ['_blank', '_blank'], none: [null, null] },
  ],
  webhookPayload: [
    webhooks,
    including({ event: 'order.updated', data: having({ order_id: text }) }),
    {
      flat: including(having({ event: 'order.updated', order_id: text })),
      record: including(having({ id: text, quote: 'USD', external_user_id: text })),
    },
  ],
  // One for the user, two for the order: started and complete.
  webhookDelivery: [async (service) => (await webhooks(service)).length, 3, { twice: 6 }],
  statuses: [statuses, ['not initiated', 'success', 1], { unlisted: ['manual review', 'provisional', 91] }],
  regionLists: [userStatus({ country_of_residence: 'JPN' }), 200, { short: 400 }],
  rateLimit: [
    burst,
    'all answered',
    { retryAfter: { status: 429, retryAfter: '1' }, bare: { status: 429, retryAfter: null } },
  ],
  userOperations: [userOperations, [200, 401], { usersHost: [404, 401] }],
  returnQuery: [
    async (service) =>
      (await redirectOf(service, { custom_id: 'c-1', redirect_url: `${shop}/thanks?a=1` }))?.url,
    `${shop}/thanks?a=1`,
    {
      order: expect.stringMatching(/thanks\?a=1&order_id=\w{26}&custom_id=c-1&type=order_complete$/),
      malformed: `${shop}/thanks?a=1&order_id=%E0%A4%A&%%&=&custom_id`,
    },
  ],
  userKeyHeader: [userStatus({}, {}), 401, { optional: 200 }],
  hashLookup: [
    async (service) => (await service.getTransaction({ hash: (await service.buy()).hash })).status,
    200,
    { refused: 400 },
  ],
  returnAddresses: [
    returnAddresses,
    threeTimes(longReturn),
    {
      cutAt255: threeTimes(longReturn.slice(0, 255)),
      withQuery: threeTimes(expect.stringMatching(/^https:.*x&order_id=\w{26}&type=order_\w+$/)),
      absent: threeTimes(undefined),
    },
  ],
  amounts: [
    amounts,
    { quote_amount: '49.99', base_amount: '0.01562187' },
    {
      rounded: { quote_amount: '50.00', base_amount: '0.0156' },
      withFees: { quote_amount: '51.74', base_amount: '0.01562187' },
    },
  ],
  retryAfterDecline: [retried, ['order_complete', 'order_failed'], { sameOrder: ['order_complete'] }],
  renewalAddresses: [renewal, ordersWith(noAddresses, bought), { copied: ordersWith(bought, bought) }],
  missingRedirectPage: [targets({}), ['_self'], { new: ['_blank'] }],
  lookup: [lookups, [0, 404, 404], { any: [2, 200, 200] }],
  keyPermission: [
    async (service) => (await service.getTransaction({ order_id: (await service.buy()).id })).status,
    200,
    { missing: 403 },
  ],
  paymentMs: [paymentWebhooks, { sent, lasted: false }, { 500: { sent, lasted: true } }],
  coop: [
    pageHeader('cross-origin-opener-policy'),
    null,
    {
      'same-origin': 'same-origin',
      'same-origin-allow-popups': 'same-origin-allow-popups',
    },
  ],
  xFrameOptions: [pageHeader('x-frame-options'), null, { DENY: 'DENY', SAMEORIGIN: 'SAMEORIGIN' }],
  frameAncestors: [
    pageHeader('content-security-policy'),
    expect.not.stringContaining('frame-ancestors'),
    {
      none: expect.stringContaining("frame-ancestors 'none'"),
      self: expect.stringContaining("frame-ancestors 'self'"),
    },
  ],
}

for (const name of switchNames) {
  const [sees, byDefault, otherwise] = cases[name]
  test(`${name}: the default`, async ({ service, sandbox }) => {
    expect(await sees(service, sandbox.urls)).toEqual(byDefault)
  })
  for (const value of switchTable[name].values.slice(1).filter((each) => String(each) in otherwise))
    test(`${name}: ${value}`, async ({ service, sandbox }) => {
      await service.flip({ [name]: value })
      expect(await sees(service, sandbox.urls)).toEqual(otherwise[String(value)])
    })
}

plainTest('no value of a switch is without a case, but for the longer times of paymentMs', () => {
  for (const name of switchNames) {
    const values = switchTable[name].values.slice(1, name === 'paymentMs' ? 2 : undefined).map(String)
    expect(Object.keys(cases[name][2]).sort(), name).toEqual(values.sort())
  }
})

test('statuses: unlisted gives an order in progress a type that is not listed', async ({ service }) => {
  await service.flip({ statuses: 'unlisted', paymentMs: 2_000 })
  const paying = service.pay(await service.openCheckout())
  await expect.poll(() => service.orderTypes()).toEqual(['payment_authorized'])
  await paying
  expect(await service.orderTypes()).toEqual(['order_complete'])
})

test('returnQuery: order names the order once, even if the address names an older one', async ({
  service,
}) => {
  await service.flip({ returnQuery: 'order' })
  const redirect = await redirectOf(service, { redirect_url: `${shop}/thanks?order_id=older` })
  expect(new URL(redirect?.url ?? '').searchParams.getAll('order_id')).toEqual([
    expect.stringMatching(/^\w{26}$/),
  ])
})

test('returnQuery: order reports why a payment failed', async ({ service }) => {
  await service.flip({ returnQuery: 'order' })
  const checkout = await service.openCheckout({ fail_redirect_url: `${shop}/sorry` })
  const { redirect } = await must(service.pay(checkout, decline))
  expect(redirect?.url).toMatch(
    /^https:\/\/shop.example\/sorry\?order_id=\w{26}&type=order_failed&fail_reason=4004$/,
  )
})

test('regionLists: short serves three countries and four states', async ({ service }) => {
  const status = async (country_of_residence: string, state_of_residence: string) =>
    (
      await service.createWidgetUser<unknown>({
        api_key: service.apiKey,
        ...validUser,
        email: `${country_of_residence}-${state_of_residence}@example.com`,
        country_of_residence,
        state_of_residence,
      })
    ).status
  const asked = [
    ['USA', 'CA'],
    ['USA', 'TX'],
    ['USA', 'NV'],
    ['USA', 'ON'],
    ['XXX', 'CA'],
  ] as const
  const all = () => Promise.all(asked.map(([country, state]) => status(country, state)))
  expect(await all()).toEqual([200, 200, 200, 400, 400])
  await service.set('reset')
  await service.flip({ regionLists: 'short' })
  expect(await all()).toEqual([200, 200, 400, 400, 400])
})

test('a retried order goes from order_failed via payment_started to order_complete, and spends the limit once', async ({
  service,
}) => {
  await service.flip({ retryAfterDecline: 'sameOrder', webhookPayload: 'record' })
  await service.set('webhooks', { url: 'http://127.0.0.1:9/' })
  const checkout = await service.openCheckout({ product_id: 'gold-550' })
  const failed = await must(service.pay(checkout, decline))
  const complete = await must(service.pay(checkout))
  expect(complete.order).toEqual({ id: failed.order?.id, type: 'order_complete', decline: null })
  const all = await deliveries<OrderRecord>(service)
  const sent = all.filter(({ order_id }) => order_id === complete.order?.id).reverse()
  expect(sent.map(({ payload }) => [payload.type, payload.fail_reason])).toEqual([
    ['payment_started', ''],
    ['order_failed', '4004'],
    ['payment_started', ''],
    ['order_complete', ''],
  ])
  expect(complete.remaining).toBe('495.01')
})

test('a retry for another product or by another shopper is a new order', async ({ service }) => {
  await service.flip({ retryAfterDecline: 'sameOrder' })
  const checkout = await service.openCheckout({ product_id: 'gold-550' })
  const first = await must(service.pay(checkout, decline))
  await must(service.act(checkout.id, 'offer', { product_id: 'gold-100' }))
  const second = await must(service.pay(checkout, decline))
  expect(second.order?.id).not.toBe(first.order?.id)
  await must(service.pay(checkout, { email: 'grace@example.com' }))
  expect(await service.orderTypes()).toEqual(['order_complete', 'order_failed', 'order_failed'])
})

test('the list of switches has the row, values, default and current value of each switch', async ({
  service,
}) => {
  await service.flip({ coop: 'same-origin' })
  const list = await service.read<{ name: string }[]>('switches')
  expect(list.map(({ name }) => name)).toEqual(switchNames)
  expect(list.find(({ name }) => name === 'coop')).toEqual({
    name: 'coop',
    row: 'page',
    description: text,
    values: ['none', 'same-origin', 'same-origin-allow-popups'],
    default: 'none',
    value: 'same-origin',
  })
})

test('an unknown switch or value is refused by name, and nothing changes', async ({ service }) => {
  for (const [changes, field] of [
    [{ coop: 'same-origin', nope: 1 }, 'nope'],
    [{ coop: 'sometimes' }, 'coop'],
  ] as const)
    expect(await service.control('switches', changes, 'PATCH')).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining(field) },
    })
  const list = await service.read<{ name: string; value: unknown }[]>('switches')
  expect(list.find(({ name }) => name === 'coop')?.value).toBe('none')
})
