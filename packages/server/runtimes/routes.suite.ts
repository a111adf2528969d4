// Promise: companion/runtimes
/** The routes of one companion, with what is expected of each, on every runtime. */
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { createPurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { afterSale, beforeSale, type Known, type Row } from './routes.ts'
import { forRoutes } from './runtimes.ts'
import { type Served, serve, shopOrigin } from './serve.ts'

describe.each(forRoutes)('the routes on $name $version', (runtime) => {
  const known: Known = {
    purchaseId: '',
    accessToken: '',
    launchPath: '',
    orderId: '',
    userId: '',
    webhookKey: '',
    etag: '',
  }
  let sandbox: Sandbox
  let shop: Served
  let passed = 0
  beforeAll(async () => {
    sandbox = await createSandbox()
    known.webhookKey = await webhookKeyOf(createPurchaseClient({ ...sandbox.urls, ...sandbox.credentials }))
    shop = await serve(runtime, sandbox)
  })
  afterAll(async () => {
    await shop?.kill()
    await sandbox.close()
    recordFigure(`routes on ${runtime.name} (${runtime.version})`, `${passed} of ${rows.length}`)
  })

  test('eight shoppers at once begin their purchases with one token', async () => {
    const shoppers = Array.from({ length: 8 }, (_, index) => `shopper-${index}`)
    const answers = await Promise.all(shoppers.map((shopper) => beginFor(shop, shopper)))
    expect(answers.map(({ status }) => status)).toEqual(shoppers.map(() => 200))
    const grants = (await Promise.all(answers.map((answer) => answer.json()))) as { accessToken: string }[]
    expect(new Set(grants.map(({ accessToken }) => accessToken)).size).toBe(1)
    passed++
  })

  test.each(beforeSale)('$name', checkRow)

  test('a shopper buys what was begun', async () => {
    const { params } = await begin()
    const paid = await fetch(`${sandbox.urls.controlUrl}/purchases`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ params, email: 'ada@example.com' }),
    })
    expect(paid.status).toBeLessThan(300)
    known.orderId = ((await paid.json()) as { id: string }).id
    passed++
  })

  test.each(afterSale)('$name', checkRow)

  const rows = [...beforeSale, ...afterSale, 'eight at once', 'a sale']

  async function begin(): Promise<{ params: Record<string, string> }> {
    const grant = (await (await beginFor(shop, 'ada')).json()) as {
      purchaseId: string
      params: Record<string, string>
    }
    known.purchaseId = grant.purchaseId
    return grant
  }

  async function checkRow(row: Row): Promise<void> {
    // As often as a page asks.
    if (row.eventually) await vi.waitFor(() => check(row), { timeout: 30_000, interval: 1_000 })
    else await check(row)
    passed++
  }

  async function check({
    path,
    init = {},
    times = 1,
    status,
    headers = {},
    body,
    learn,
  }: Row): Promise<void> {
    const url = shop.url + (typeof path === 'string' ? path : path(known))
    const sent = typeof init === 'function' ? init(known) : init
    for (let before = 1; before < times; before++) await (await fetch(url, sent)).arrayBuffer()
    const answer = await fetch(url, { ...sent, redirect: 'manual' })
    const text = await answer.text()
    expect(answer.status, text).toBe(status)
    for (const [name, value] of Object.entries(headers)) expectHeader(answer.headers.get(name), value)
    if (body instanceof RegExp) expect(text).toMatch(body)
    else if (body) expect(JSON.parse(text)).toMatchObject(withPatterns(body))
    if (learn) Object.assign(known, learn(text.startsWith('{') ? JSON.parse(text) : {}, answer))
  }
})

const beginFor = ({ url }: Served, shopper: string): Promise<Response> =>
  fetch(`${url}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `shopper=${shopper}`, origin: shopOrigin },
    body: '{"params":{"product_id":"gold-100"}}',
  })

function expectHeader(actual: string | null, expected: string | RegExp | null): void {
  if (expected === null) expect(actual).toBeNull()
  else expect(actual ?? '').toMatch(expected)
}

/** Texts of JSON may be given as patterns. */
function withPatterns(body: object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  )
}
