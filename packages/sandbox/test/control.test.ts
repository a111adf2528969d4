// Promise: sandbox/control
/** The rest of the control plane: the console's state, limits, purchases, and the request log, masked and truncated. */
import { expect } from 'vitest'
import { createRequestLog } from '../src/simulation/requestLog.ts'
import { must, test, validUser } from './support/service.ts'

test('the console reads one document, in which no token is whole', async ({ service, sandbox }) => {
  const accessToken = await service.token('infinite')
  await service.buy({ product_id: 'club-monthly' })
  await service.flip({ refreshInvalidates: true })
  await service.token('7')
  const state = await service.read('state')
  expect(state).toMatchObject({
    orders: [{ type: 'order_complete', product_id: 'club-monthly' }],
    users: [{ email: 'shopper@example.com', limits: { digital_goods_spending: '4.99' } }],
    subscriptions: [{ status: 'active', failed_to_paid: false }],
    tokens: [{ status: 'live' }, { status: 'replaced' }, { status: 'replaced', expires_at: null }],
  })
  expect(JSON.stringify(state)).not.toContain(accessToken)
  const page = await fetch(sandbox.urls.controlUrl)
  expect(page.url).toBe(`${sandbox.urls.controlUrl}/`)
  expect(page.headers.get('content-type')).toMatch('text/html')
})

test('limits are read as they were set, and refused unless they are amounts', async ({ service }) => {
  const limitsWith = (crypto: string): object => {
    const amounts = { crypto, digital_goods: '1.00' }
    return { low: amounts, full: amounts }
  }
  for (const amount of ['0', '0.00', '0.00000000', '150.00']) {
    expect((await service.control('limits', limitsWith(amount), 'PUT')).status).toBe(200)
    expect(await service.read('limits')).toEqual(limitsWith(amount))
  }
  for (const amount of ['', '0x', 'x0', '-0', '00', '0.', '0.000000000', '-1.00'])
    expect((await service.control('limits', limitsWith(amount), 'PUT')).status, amount).toBe(400)
})

test('purchases without the page are refused where the page would refuse them', async ({ service }) => {
  for (const [body, status, field] of [
    [{ card_number: 'x' }, 400, 'card_number'],
    [{ email: 'x' }, 400, 'email'],
    [{ accessToken: 'x' }, 401, 'accessToken'],
    [{ params: { quote_amount: '501', product_id: 'castle' } }, 403, 'KYC'],
    [{ unknown: 1 }, 400, 'unknown'],
  ] as const)
    expect(await service.control('purchases', body)).toMatchObject({
      status,
      body: { error: true, message: expect.stringContaining(field) },
    })
})

test('addresses that do not exist are 404, also under /_sandbox, and are in the log', async ({
  service,
  sandbox,
}) => {
  for (const path of [
    '/_sandbox/nothing',
    '/api',
    '/_sandbox/assets/../../package.json',
    '/_sandbox/assets/%2e%2e%2fx',
  ])
    expect(await service.send('GET', sandbox.urls.baseUrl + path)).toMatchObject({
      status: 404,
      body: { error: true, message: expect.any(String) },
    })
  const body = await service.read<unknown[]>('requests')
  expect(body).toContainEqual(expect.objectContaining({ operation: null, path: '/api', status: 404 }))
})

test('requests are listed newest first, with secrets masked everywhere', async ({ service }) => {
  const accessToken = await service.token()
  await service.getOrderHistory({ accessToken, custom_id: 'c-1' })
  await service.createWidgetUser()
  await must(service.pay(await service.openCheckout({}, accessToken)))
  const body = await service.read<Record<string, unknown>[]>('requests')
  expect(body.map(({ operation }) => operation)).toEqual([
    'widgetApi',
    'widgetApi',
    'createWidgetUser',
    'getOrderHistory',
    'createAccessToken',
  ])
  expect(body[3]).toMatchObject({
    method: 'GET',
    path: '/api/widget/order_history',
    query: { custom_id: 'c-1', accessToken: expect.stringMatching(/^\*{3}/) },
    status: 200,
    body: null,
  })
  expect(body[2]).toMatchObject({
    body: { email: validUser.email },
    headers: { 'content-type': 'application/json' },
  })
  const seen = JSON.stringify(body)
  for (const secret of [accessToken, service.apiKey, service.secretKey, '4242 4242'])
    expect(seen).not.toContain(secret)
})

test('the log keeps no token from a Referer', async ({ sandbox }) => {
  await fetch(`${sandbox.urls.widgetUrl}/widget/`, {
    headers: { Referer: 'https://shop.example/page?accessToken=canary' },
  })
  const [newest] = await sandbox.requests.list()
  expect(newest?.headers.referer).toBe('https://shop.example/page?***')
})

test('the log can be cleared', async ({ service, sandbox }) => {
  await service.token()
  await sandbox.requests.clear()
  expect(await sandbox.requests.list()).toEqual([])
})

test('the log stores only the size of a body of more than 16,000 characters', async ({
  service,
  sandbox,
}) => {
  const small = { ...validUser, first_name: 'x'.repeat(15_000) }
  const large = { ...validUser, first_name: 'x'.repeat(16_000) }
  await service.createWidgetUser<unknown>(small)
  expect((await sandbox.requests.list())[0]?.body).toEqual(small)
  await service.createWidgetUser<unknown>(large)
  expect((await sandbox.requests.list())[0]?.body).toBe(
    `${JSON.stringify(large).length} characters of JSON, not kept`,
  )
})

test('the log stores the beginning of long headers, parameters and paths', async ({ service, sandbox }) => {
  const long = 'x'.repeat(4000)
  await service.send('GET', `${sandbox.urls.baseUrl}/${long}?custom_id=${long}`, {
    headers: { 'X-Long': long, 'X-Short': 'short' },
  })
  const cut = `${'x'.repeat(1000)}… 4000 characters`
  expect((await sandbox.requests.list())[0]).toMatchObject({
    path: `/${'x'.repeat(999)}… 4001 characters`,
    query: { custom_id: cut },
    headers: { 'x-long': cut, 'x-short': 'short' },
  })
})

test('the log stores a deeply nested body down to level 32', async ({ service, sandbox }) => {
  for (const levels of [33, 100, 199]) {
    const text = `{"api_key":"a secret of the merchant","nested":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const { status } = await service.send('POST', `${sandbox.urls.baseUrl}/api/user/create_widget_user`, {
      text,
      headers: { 'api-key': service.apiKey },
    })
    expect(status).toBe(401)
    const kept = JSON.stringify((await sandbox.requests.list())[0]?.body)
    expect(kept).toBe(`{"api_key":"***hant","nested":${'['.repeat(31)}"…"${']'.repeat(31)}}`)
  }
})

test('a thousand requests are kept, and repeats do not evict requests that happened once', () => {
  const log = createRequestLog()
  const request = {
    at: '',
    operation: null,
    method: 'GET',
    query: {},
    headers: {},
    response: null,
    body: null,
  }
  log.add({ ...request, path: '/once', status: 404, ms: 0 })
  for (let poll = 0; poll < 1500; poll++) log.add({ ...request, path: '/poll', status: 200, ms: 0 })
  expect(log.list()).toHaveLength(1000)
  expect(log.list().slice(0, 2)).toMatchObject([{ id: 1501, repeat: true }, { id: 1500 }])
  expect(
    log
      .list()
      .filter(({ repeat }) => !repeat)
      .map(({ path }) => path),
  ).toEqual(['/poll', '/once'])
})
