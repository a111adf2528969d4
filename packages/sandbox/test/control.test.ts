// Promise: sandbox/control
/** The rest of the control plane: what the console reads, limits and purchases. */
import { describe, expect } from 'vitest'
import { test } from './support/service.ts'

describe('the console', () => {
  test('reads one document, in which no token is whole', async ({ service, sandbox }) => {
    const accessToken = await service.token('infinite')
    await service.buy({ product_id: 'club-monthly' })
    await service.flip({ refreshInvalidates: true })
    await service.token('7')
    const body = await service.read<Record<string, unknown>>('state')
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
    expect(await service.read('limits')).toEqual(limitsWith(amount))
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
  const body = await service.read<unknown[]>('requests')
  expect(body).toContainEqual(expect.objectContaining({ operation: null, path: '/api', status: 404 }))
})
