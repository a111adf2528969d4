/** The rest of the control plane: what arrived, and what the console reads. */
import { describe, expect } from 'vitest'
import { must, test, validUser } from './support/service.ts'

describe('the requests that arrived', () => {
  test('are listed newest first, with secrets masked wherever they stand', async ({ service }) => {
    const accessToken = await service.token()
    await service.getOrderHistory({ accessToken, custom_id: 'c-1' })
    await service.createWidgetUser()
    await must(service.pay(await service.openCheckout({}, accessToken)))
    const { body } = await service.control<Record<string, unknown>[]>('requests', undefined, 'GET')
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

  test('keep no token of a Referer', async ({ service, sandbox }) => {
    await fetch(`${sandbox.urls.widgetUrl}/widget/`, {
      headers: { Referer: 'https://shop.example/page?accessToken=canary' },
    })
    const { body } = await service.control<{ headers: { referer: string } }[]>('requests', undefined, 'GET')
    expect(body[0]?.headers.referer).toBe('https://shop.example/page?***')
  })

  test('can be forgotten', async ({ service }) => {
    await service.token()
    await must(service.control('requests', undefined, 'DELETE'))
    expect((await service.control('requests', undefined, 'GET')).body).toEqual([])
  })
})

describe('the console', () => {
  test('reads one document, in which no token is whole', async ({ service, sandbox }) => {
    const accessToken = await service.token('infinite')
    await service.buy({ product_id: 'club-monthly' })
    await service.flip({ refreshInvalidates: true })
    await service.token('7')
    const { body } = await service.control<Record<string, unknown>>('state', undefined, 'GET')
    expect(body).toMatchObject({
      orders: [{ type: 'order_complete', product_id: 'club-monthly' }],
      users: [{ email: 'shopper@example.com', limits: { digital_goods_spending: '4.99' } }],
      subscriptions: [{ status: 'active', failed_to_paid: false }],
      tokens: [{ status: 'live' }, { status: 'replaced' }, { status: 'replaced', expires_at: null }],
    })
    expect(JSON.stringify(body)).not.toContain(accessToken)
    const page = await fetch(`${sandbox.urls.controlUrl}`)
    expect(page.url).toBe(`${sandbox.urls.controlUrl}/`)
    expect(page.headers.get('content-type')).toMatch('text/html')
  })
})

test('limits are read as they were set, and refused where they are not amounts', async ({ service }) => {
  const limitsWith = (crypto: string): object => {
    const amounts = { crypto, digital_goods: '1.00' }
    return { low: amounts, full: amounts }
  }
  for (const amount of ['0', '0.00', '0.00000000', '150.00']) {
    expect((await service.control('limits', limitsWith(amount), 'PUT')).status).toBe(200)
    expect((await service.control('limits', undefined, 'GET')).body).toEqual(limitsWith(amount))
  }
  for (const amount of ['', '0x', 'x0', '-0', '00', '0.', '0.000000000', '-1.00'])
    expect((await service.control('limits', limitsWith(amount), 'PUT')).status, amount).toBe(400)
})

test('purchases without the page refuse what the page would', async ({ service }) => {
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
  const { body } = await service.control<unknown[]>('requests', undefined, 'GET')
  expect(body).toContainEqual(expect.objectContaining({ operation: null, path: '/api', status: 404 }))
})
