// Promise: doctor/service
/** The doctor before servers that are not the service, refuse in other ways than it, or say nothing. */
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhookKeyOf } from '../src/fulfilment/webhook.ts'
import {
  type Checkup,
  type DoctorOptions,
  memoryStore,
  type PurchaseClientOptions,
  runDoctor,
  type Store,
  type TokenGrant,
  toNodeHandler,
} from '../src/index.ts'
import { companionOf, post } from './support/companion.ts'
import { listen } from './support/http.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

const diagnose = (options: Partial<PurchaseClientOptions> = {}, createTokens = true) =>
  runDoctor({ client: service.client({ maxRetries: 0, ...options }), createTokens })

const namesOf = (checks: Checkup[], wanted: Checkup['result']): string[] =>
  checks.filter(({ result }) => result === wanted).map(({ name }) => name)

const answer =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

describe.each([
  ['404 with HTML', answer(404, 'text/html', '<!DOCTYPE html><title>Not found</title>')],
  ['404 with JSON of its own', answer(404, 'application/json', '{"detail":"Not Found"}')],
  ['404 with nothing', answer(404, 'text/plain', '')],
  ['403 with HTML', answer(403, 'text/html', '<html><h1>Forbidden</h1></html>')],
  ['200 with HTML', answer(200, 'text/html', '<!DOCTYPE html><title>Welcome</title>')],
  ['200 with {}', answer(200, 'application/json', '{}')],
])('a server that answers %s', (_, handler) => {
  test.each([
    ['baseUrl', 'PURCHASE_BASE_URL', ['transaction lookup', 'subscription lookup', 'user operations']],
    ['userBaseUrl', 'PURCHASE_USER_BASE_URL', ['user operations']],
    ['widgetApiUrl', 'PURCHASE_WIDGET_API_URL', ['access token']],
  ])('is no service at %s: look at %s', async (option, variable, expected) => {
    const other = await listen(handler)
    const { checks, healthy } = await diagnose({ [option]: other.url })
    await other.close()
    expect(namesOf(checks, 'failed')).toEqual(expected)
    for (const check of checks) {
      if (check.result !== 'failed') continue
      expect(check.setting).toBe(variable)
      expect(check.detail).not.toContain('permission')
    }
    expect(healthy).toBe(false)
  })

  test('is not the service, also when no token may be created', async () => {
    const other = await listen(handler)
    const { checks } = await diagnose({ widgetApiUrl: other.url }, false)
    await other.close()
    expect(namesOf(checks, 'failed')).toEqual(['token operations'])
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'token operations', setting: 'PURCHASE_WIDGET_API_URL' }),
    )
  })
})

describe.each([
  ['text', 'text/plain', '404 page not found', 404],
  [
    'JSON that names the path',
    'application/json',
    '{"statusCode":404,"message":"Cannot POST $path","error":"Not Found"}',
    404,
  ],
  [
    'an error of the service’s own form',
    'application/json',
    '{"error":true,"message":"No such route."}',
    404,
  ],
  ['the same with status 200', 'application/json', '{"error":true,"message":"No such route."}', 200],
  ['an empty list', 'application/json', '[]', 200],
  ['an order', 'application/json', '{"id":"doctor","type":"order_complete","user_id":"doctor"}', 200],
])('a server that says the same to everything, %s,', (_, type, body, status) => {
  test('is no service', async () => {
    const other = await listen((request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body.replace('$path', request.url ?? '')),
    )
    for (const createTokens of [true, false]) {
      const options = { baseUrl: other.url, ...(createTokens ? {} : { widgetApiUrl: other.url }) }
      const { checks, healthy } = await diagnose(options, createTokens)
      expect(namesOf(checks, 'failed')).toEqual([
        ...(createTokens ? [] : ['token operations']),
        'transaction lookup',
        'subscription lookup',
        'user operations',
      ])
      expect(healthy).toBe(false)
    }
    await other.close()
  })
})

test('the addresses of the two halves of the service must not be the same wrong one', async () => {
  const { checks } = await diagnose({ baseUrl: `${service.urls.baseUrl}/elsewhere` })
  expect(namesOf(checks, 'failed')).toEqual(['transaction lookup', 'subscription lookup', 'user operations'])
})

describe('a refusal of the service (U6)', () => {
  const lookups = ['transaction lookup', 'subscription lookup', 'user operations']

  test.each(['status', 'ok', 'okNested'])('counts as an answer: %s', async (errorShape) => {
    for (const createTokens of [true, false]) {
      await service.control('PATCH', '/switches', { errorShape })
      const { checks, healthy } = await diagnose({}, createTokens)
      expect(namesOf(checks, 'ok')).toEqual(expect.arrayContaining(lookups))
      if (!createTokens) expect(namesOf(checks, 'ok')).toContain('token operations')
      expect(healthy).toBe(true)
    }
  })

  test.each([
    [true, lookups],
    [false, ['token operations', ...lookups]],
  ])('as text is a note, with tokens created: %s', async (createTokens, expected) => {
    await service.control('PATCH', '/switches', { errorShape: 'text' })
    const { checks, healthy } = await diagnose({}, createTokens)
    expect(namesOf(checks, 'note')).toEqual(expect.arrayContaining(expected))
    expect(healthy).toBe(true)
  })

  test('of the key is a failure, also when it is only in the words', async () => {
    for (const errorShape of ['status', 'text']) {
      await service.control('PATCH', '/switches', { errorShape, keyPermission: 'missing' })
      const { checks } = await diagnose()
      expect(namesOf(checks, 'failed')).toEqual(['transaction lookup', 'subscription lookup'])
      const { checks: withWrongKey } = await diagnose({ apiKey: 'wrong' }, false)
      expect(namesOf(withWrongKey, 'failed')).toEqual(lookups)
    }
  })
})

test('a service that answers one operation and is silent at another is asked no more', async () => {
  await service.control('POST', '/faults', { operation: 'getTokenExpiry', kind: 'stall' })
  const started = performance.now()
  const { checks } = await diagnose()
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(namesOf(checks, 'failed')).toEqual(['token expiry'])
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'token expiry', setting: 'PURCHASE_WIDGET_API_URL' }),
  )
  expect(await service.count('createAccessToken')).toBe(1)
})

describe('with an order', () => {
  const carriers = async (order: Record<string, string>): Promise<Record<string, string>> => {
    const { id } = await service.buy({ product_id: 'gold-100', ...order })
    const { checks } = await runDoctor({ client: service.client(), createTokens: false, orderId: id })
    const rows = checks.filter(({ name }) => ['return address', 'custom_id', 'order'].includes(name))
    return Object.fromEntries(rows.map(({ name, result, detail }) => [name, `${result}: ${detail}`]))
  }
  const purchaseId = 'A1b2C3d4E5f6G7h8I9j0-_'
  const redirect_url = `https://shop.example/api/purchase-widget/return/${purchaseId}`

  test.each<[string, Record<string, string>, RegExp]>([
    ['as given', { redirect_url }, /^ok: comes back as given/],
    ['with more', { redirect_url: `${redirect_url}?status=ok` }, /^ok: comes back with more appended/],
    ['cut', { redirect_url: redirect_url.slice(0, -5) }, /^failed: cut after \d+ characters/],
    ['absent', {}, /^failed: absent/],
    [
      'the merchant’s own',
      { redirect_url: 'https://shop.example/thanks' },
      /^failed: not one of a companion/,
    ],
    [
      'absent, and carried by custom_id',
      { custom_id: `purchase_${purchaseId}` },
      /^note: absent: carried by custom_id/,
    ],
  ])('whose return address is %s says so', async (_, order, expected) => {
    expect((await carriers(order))['return address']).toMatch(expected)
  })

  /** What is said of an order's amounts, paid as it was begun for 9.99, or with a changed amount. */
  async function amounts(changed: Record<string, string> = {}, store: Store = memoryStore()) {
    const companion = companionOf(service.client(), {
      createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
      store,
    })
    const { params } = (await (await companion.fetch(post('/launch', {}, 'ada'))).json()) as TokenGrant
    const { id } = await service.buy({ ...params, ...changed })
    const options = { client: service.client(), createTokens: false, orderId: id }
    const { checks } = await runDoctor({ ...options, store })
    return checks.find(({ name }) => name === 'amounts')
  }

  test('whose amounts come as they were decided says so (U23)', async () => {
    expect(await amounts()).toMatchObject({ result: 'ok', detail: 'come as they were decided' })
  })

  test.each([
    ['rounded', '10.00'],
    ['withFees', '10.34'],
  ])('whose amounts come %s names a service that is not supported (U23)', async (amount, stated) => {
    await service.control('PATCH', '/switches', { amounts: amount })
    expect(await amounts()).toMatchObject({
      result: 'failed',
      detail: `quote_amount was decided as 9.99 and comes as ${stated}`,
      remedy: expect.stringContaining('rounds amounts or adds fees is not supported'),
    })
  })

  test('whose purchase cannot be read is not compared', async () => {
    const { id } = await service.buy({ product_id: 'gold-100' })
    const detailWith = async (store?: DoctorOptions['store']): Promise<string | undefined> => {
      const options = { client: service.client(), createTokens: false, orderId: id }
      const { checks } = await runDoctor({ ...options, store })
      return checks.find(({ name }) => name === 'amounts')?.detail
    }
    expect(await detailWith()).toBe('not compared: name your companion with --module')
    expect(await detailWith(memoryStore())).toBe('not compared: the store has no purchase of this order')
  })
})

describe('with a companion', () => {
  const rows = async (url: string): Promise<Record<string, string>> => {
    const { checks } = await runDoctor({ client: service.client(), createTokens: false, companion: url })
    return Object.fromEntries(checks.map(({ name, result, detail }) => [name, `${result}: ${detail}`]))
  }
  const mounted = async (
    headers: Record<string, string>,
    isFirst: boolean,
  ): Promise<Record<string, string>> => {
    const companion = companionOf(service.client(), { allowedOrigins: ['https://shop.example'] })
    const handle = toNodeHandler(companion)
    const server = await listen((request, response) => {
      const set = (): void => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      }
      const { writeHead } = response
      if (isFirst) set()
      else
        response.writeHead = ((status: number, own: object) =>
          writeHead.call(response, status, { ...own, ...headers })) as typeof writeHead
      handle(request, response)
    })
    try {
      return await rows(`${server.url}/`)
    } finally {
      await server.close()
      await companion.close()
    }
  }

  test('that is mounted as it should be, behind helmet’s frame headers, is well', async () => {
    const found = await mounted(
      { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': "default-src 'self'" },
      true,
    )
    expect(found.companion).toMatch(/^ok/)
    expect(found['return page']).toBe('ok: may be framed by https://shop.example')
    expect(found['script file']).toMatch(/^(ok|note)/)
  })

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      'an opener policy',
      { 'cross-origin-opener-policy': 'same-origin' },
      'return page',
      /Cross-Origin-Opener-Policy/,
    ],
    ['a policy of its own', { 'content-security-policy': "default-src 'self'" }, 'return page', /replaced/],
    ['CORS for all', { 'access-control-allow-origin': '*' }, 'companion', /any origin/],
  ])('whose server puts %s on top fails', async (_, headers, name, detail) => {
    const found = await mounted(headers, false)
    expect(found[name]).toMatch(/^failed/)
    expect(found[name]).toMatch(detail)
  })

  test.each<[string, RequestListener, RegExp]>([
    ['nothing there', answer(404, 'text/html', 'not found'), /no companion answers at/],
    ['a token for everybody', answer(200, 'application/json', '{"accessToken":"x"}'), /any origin/],
    ['a broken one', answer(500, 'application/json', '{}'), /answers 500/],
  ])('address with %s fails', async (_, handler, detail) => {
    const other = await listen(handler)
    const found = await rows(other.url)
    await other.close()
    expect(found.companion).toMatch(/^failed/)
    expect(found.companion).toMatch(detail)
  })

  test('tells a page of another origin to let the companion in', async () => {
    const { pageNeeds } = await runDoctor({
      client: service.client(),
      createTokens: false,
      companion: 'https://api.shop.example/purchase-widget',
      fetch: async () => new Response(null, { status: 404 }),
    })
    const { widgetUrl } = service.urls
    expect(pageNeeds['Content-Security-Policy']).toBe(
      `frame-src 'self' https://api.shop.example ${widgetUrl}; connect-src 'self' https://api.shop.example`,
    )
  })
})

test.each([
  [true, true, ['failed']],
  [true, false, ['note']],
  [false, true, ['ok']],
])('a store that forgets (%s) in production (%s) is %j', async (forgets, production, expected) => {
  const options = { client: service.client(), createTokens: false, store: { forgets }, production }
  const { checks, healthy } = await runDoctor(options)
  expect(checks.filter(({ name }) => name === 'store').map(({ result }) => result)).toEqual(expected)
  expect(healthy).toBe(!expected.includes('failed'))
})

test('says at which address webhooks are let in first', async () => {
  const client = service.client()
  const { webhookPath } = await runDoctor({ client, createTokens: false })
  expect(webhookPath).toBe(`/webhook/${await webhookKeyOf(client)}`)
})
