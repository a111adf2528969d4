// Promise: doctor/service
/** The doctor on a misconfigured, refusing, foreign or silent service, and on one order: a failure names setting, address, status and remedy. */
import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Checkup,
  type DoctorOptions,
  memoryStore,
  type PurchaseClientOptions,
  runDoctor,
  type TokenGrant,
} from '../../src/index.ts'
import { companionOf, post } from '../support/companion.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { answering, listen } from '../support/http.ts'
import { serverUntilTheEnd, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

type ClientOptions = Partial<PurchaseClientOptions>

const diagnose = (options: ClientOptions = {}, createTokens = true) =>
  runDoctor({ client: service.client({ maxRetries: 0, ...options }), createTokens })

const failedOf = (checks: Checkup[]) => checks.filter((check) => check.result === 'failed')
const namesOf = (checks: Checkup[], wanted: Checkup['result']): string[] =>
  checks.filter(({ result }) => result === wanted).map(({ name }) => name)

const lookups = ['transaction lookup', 'subscription lookup', 'user operations']

describe('a wrong setting', () => {
  const notFound = answering(404, 'text/html', '<!doctype html><title>Not found</title>')
  const moved: RequestListener = ({ url }, response) =>
    response.writeHead(301, { location: `https://www.shop.example${url}` }).end()

  /** A port that was free just before. */
  async function nobody(): Promise<string> {
    const { url, close } = await listen(notFound)
    await close()
    return url
  }

  const at = (option: string, handler: RequestListener) => async (): Promise<ClientOptions> => ({
    [option]: await serverUntilTheEnd(handler),
  })

  test.each<{
    name: string
    set: () => Promise<ClientOptions> | ClientOptions
    /** Every check that fails, and no others. */
    fails: string[]
    setting: string
    status: number | null
    remedy: RegExp
  }>([
    {
      name: 'baseUrl is of another server',
      set: at('baseUrl', notFound),
      fails: lookups,
      setting: 'PURCHASE_BASE_URL',
      status: 404,
      remedy: /Set PURCHASE_BASE_URL to the service's address/,
    },
    {
      name: 'baseUrl redirects',
      set: at('baseUrl', moved),
      fails: lookups,
      setting: 'PURCHASE_BASE_URL',
      status: 301,
      remedy: /the address that it redirects to/,
    },
    {
      name: 'baseUrl is where nobody listens',
      set: async () => ({ baseUrl: await nobody() }),
      fails: lookups,
      setting: 'PURCHASE_BASE_URL',
      status: null,
      remedy: /Set PURCHASE_BASE_URL/,
    },
    {
      name: 'userBaseUrl is of another server',
      set: at('userBaseUrl', notFound),
      fails: ['user operations'],
      setting: 'PURCHASE_USER_BASE_URL',
      status: 404,
      remedy: /Set PURCHASE_USER_BASE_URL/,
    },
    {
      name: 'widgetApiUrl is of another server',
      set: at('widgetApiUrl', notFound),
      fails: ['access token'],
      setting: 'PURCHASE_WIDGET_API_URL',
      status: 404,
      remedy: /address of tokens/,
    },
    {
      name: 'widgetUrl is of another server',
      set: at('widgetUrl', notFound),
      fails: ['widget page'],
      setting: 'PURCHASE_WIDGET_URL',
      status: 404,
      remedy: /without \/widget\//,
    },
    {
      name: 'apiKey is of another account',
      set: () => ({ apiKey: 'another-key' }),
      fails: ['access token', ...lookups],
      setting: 'PURCHASE_API_KEY',
      status: 401,
      remedy: /Copy the whole value from the dashboard.* that the two keys are not swapped\.$/,
    },
    {
      name: 'secretKey is of another account',
      set: () => ({ secretKey: 'another-key' }),
      fails: ['access token'],
      setting: 'PURCHASE_SECRET_KEY',
      status: 401,
      remedy: /Copy the whole value/,
    },
    {
      name: 'the API key lacks a permission',
      set: async () => {
        await service.control('PATCH', '/switches', { keyPermission: 'missing' })
        return {}
      },
      fails: ['transaction lookup', 'subscription lookup'],
      setting: 'PURCHASE_API_KEY',
      status: 403,
      remedy: /Ask the service for the permission/,
    },
  ])('a wrong setting is named: $name', async ({ set, fails, setting, status, remedy }) => {
    const { checks, healthy } = await diagnose(await set())
    expect(namesOf(checks, 'failed')).toEqual(fails)
    expect(healthy).toBe(false)
    for (const check of failedOf(checks)) {
      expect(check).toMatchObject({ setting, status, remedy: expect.stringMatching(remedy) })
      expect(check.address).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+/)
    }
  })

  test('two addresses of the service must not share one wrong value', async () => {
    const { checks } = await diagnose({ baseUrl: `${service.urls.baseUrl}/elsewhere` })
    expect(namesOf(checks, 'failed')).toEqual(lookups)
  })
})

const unknownRoute = '{"error":true,"message":"No such route."}'

test.each<[string, number, string, string]>([
  ['404 with HTML', 404, 'text/html', '<!DOCTYPE html><title>Not found</title>'],
  ['404 with nothing', 404, 'text/plain', ''],
  ['404 that names the path', 404, 'application/json', '{"message":"Cannot POST $path","error":"Not Found"}'],
  ['404 in the service’s own form', 404, 'application/json', unknownRoute],
  ['200 in the service’s own form', 200, 'application/json', unknownRoute],
  ['200 with HTML', 200, 'text/html', '<!DOCTYPE html><title>Welcome</title>'],
  ['200 with {}', 200, 'application/json', '{}'],
  [
    '200 with an order',
    200,
    'application/json',
    '{"id":"doctor","type":"order_complete","user_id":"doctor"}',
  ],
])('a server that answers everything with %s is not the service', async (_, status, type, body) => {
  const url = await serverUntilTheEnd((request, response) =>
    answering(status, type, body.replace('$path', request.url ?? ''))(request, response),
  )
  for (const createTokens of [true, false]) {
    const { checks, healthy } = await diagnose({ baseUrl: url, widgetApiUrl: url }, createTokens)
    const token = createTokens ? 'access token' : 'token operations'
    expect(namesOf(checks, 'failed')).toEqual([token, ...lookups])
    for (const { name, setting, detail } of failedOf(checks)) {
      expect(setting).toBe(name === token ? 'PURCHASE_WIDGET_API_URL' : 'PURCHASE_BASE_URL')
      expect(detail).not.toContain('permission')
    }
    expect(healthy).toBe(false)
  }
})

describe.each([true, false])('a refusal of the service (U6), with tokens created: %s', (createTokens) => {
  const all = createTokens ? lookups : ['token operations', ...lookups]

  test.each([
    ['status', 'ok'],
    ['ok', 'ok'],
    ['okNested', 'ok'],
    // It may come from another server.
    ['text', 'note'],
  ] as const)('as %s is %s', async (errorShape, result) => {
    await service.control('PATCH', '/switches', { errorShape })
    const { checks, healthy } = await diagnose({}, createTokens)
    expect(namesOf(checks, result)).toEqual(expect.arrayContaining(all))
    expect(healthy).toBe(true)
  })
})

test('a refused key is a failure, even if only the message says so', async () => {
  for (const errorShape of ['status', 'text']) {
    await service.control('PATCH', '/switches', { errorShape, keyPermission: 'missing' })
    const { checks } = await diagnose()
    expect(namesOf(checks, 'failed')).toEqual(['transaction lookup', 'subscription lookup'])
    const { checks: withWrongKey } = await diagnose({ apiKey: 'wrong' }, false)
    expect(namesOf(withWrongKey, 'failed')).toEqual(lookups)
  }
})

describe('a service that works', () => {
  test.each<[switches: object, string, Checkup['result'], RegExp]>([
    [{ refreshInvalidates: true }, 'token renewal', 'note', /ends the one before it/],
    [{ refreshInvalidates: false }, 'token renewal', 'ok', /leaves the one before it/],
    [{ expiryResponse: 'unrecognized' }, 'token expiry', 'failed', /expected an expiry date/],
    [{ tokenResponse: 'unrecognized' }, 'access token', 'failed', /expected an access token/],
    [{ xFrameOptions: 'DENY' }, 'framing', 'failed', /X-Frame-Options: DENY/],
    [{ frameAncestors: 'none' }, 'framing', 'failed', /frame-ancestors 'none'/],
    [{ coop: 'same-origin' }, 'popup', 'note', /cannot be observed/],
    [{ coop: 'same-origin-allow-popups' }, 'popup', 'note', /cannot be observed/],
  ])('with %j it reports: %s %s', async (switches, name, result, detail) => {
    await service.control('PATCH', '/switches', switches)
    const { checks } = await diagnose()
    expect(checks).toContainEqual(
      expect.objectContaining({ name, result, detail: expect.stringMatching(detail) }),
    )
  })

  test('the doctor reports how many orders one token opens', async () => {
    for (const _ of [1, 2]) await service.buy({ product_id: 'gold-100' })
    const { checks } = await diagnose()
    const row = { name: 'order history', result: 'note', detail: expect.stringContaining('2 orders') }
    expect(checks).toContainEqual(expect.objectContaining(row))
  })

  test('the doctor reports a clock that differs from its own', async () => {
    await service.control('POST', '/clock', { advanceSeconds: 3 * 3_600 })
    const { checks } = await diagnose()
    const row = { name: 'clock', result: 'failed', detail: expect.stringContaining('180 minutes') }
    expect(checks).toContainEqual(expect.objectContaining(row))
  })

  test('the doctor reports the address that accepts webhooks first', async () => {
    const client = service.client()
    const { webhookPath } = await runDoctor({ client, createTokens: false })
    expect(webhookPath).toBe(`/webhook/${await webhookKeyOf(client)}`)
  })
})

test.each([
  [memoryStore(), true, { result: 'failed', setting: 'store', remedy: expect.stringMatching(/sqliteStore/) }],
  [memoryStore(), false, { result: 'note' }],
  [{ forgets: false }, true, { result: 'ok' }],
])('a store %o in production (%s) is reported as %j', async (store, production, expected) => {
  vi.stubEnv('NODE_ENV', production ? 'production' : 'development')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { checks, healthy } = await runDoctor({ client: service.client(), createTokens: false, store })
  expect(checks.find(({ name }) => name === 'store')).toMatchObject(expected)
  expect(healthy).toBe(expected.result !== 'failed')
})

/** The client's requests go to the sandbox, but the answer to this operation is another one, where there is any. */
function instead(
  path: RegExp,
  answer: (count: number) => Response | Promise<Response> | undefined,
): ClientOptions {
  let count = 0
  return {
    fetch: async (address, init) =>
      (path.test(new URL(String(address)).pathname) ? await answer(++count) : undefined) ??
      fetch(address, init),
  }
}

const DAY = 86_400_000
const forbidden = (): Response => Response.json({ error: true, message: 'Forbidden.' }, { status: 403 })

test.each([
  [/access_token$/, ['access token'], 'PURCHASE_SECRET_KEY'],
  [/access_token$|transactions|user/, ['access token', ...lookups], 'PURCHASE_API_KEY'],
])(
  'a key that the service refuses with 403 at %s is not said to lack a permission',
  async (path, fails, setting) => {
    const { checks } = await diagnose(instead(path, forbidden))
    const [token, ...others] = failedOf(checks)
    expect([token, ...others].map((check) => check?.name)).toEqual(fails)
    expect(token).toMatchObject({
      setting,
      status: 403,
      remedy: expect.stringMatching(/^Copy the whole value/),
    })
    for (const { remedy } of others) expect(remedy).toMatch(/If it creates no token either, the key is wrong/)
  },
)

test.each([503, 429])('a token whose date is refused with %i is not said to have ended', async (status) => {
  const busy = (count: number): Response | undefined =>
    count === 2 ? Response.json({ error: true, message: 'Busy.' }, { status }) : undefined
  const { checks } = await diagnose(instead(/expire_date$/, busy))
  const row = checks.find(({ name }) => name === 'token renewal')
  expect(row).toMatchObject({ result: 'failed', status, setting: 'PURCHASE_WIDGET_API_URL' })
})

test('an expiry date without a time says nothing about the clock', async () => {
  const day = new Date(Date.now() + 7 * DAY).toISOString().slice(0, 10)
  const { checks, healthy } = await diagnose(
    instead(/expire_date$/, () => Response.json({ expire_date: day })),
  )
  expect(checks.find(({ name }) => name === 'token expiry')).toMatchObject({ result: 'ok' })
  expect(checks.find(({ name }) => name === 'clock')).toMatchObject({ result: 'skipped' })
  expect(healthy).toBe(true)
})

test('a token of 7 days that never expires is a matter of the service, not of the clock', async () => {
  const never = (): Response => Response.json({ expire_date: 'infinite' })
  const { checks } = await diagnose(instead(/expire_date$/, never))
  expect(failedOf(checks)).toMatchObject([
    { name: 'token expiry', remedy: expect.stringMatching(/^ask the service/) },
  ])
})

test('an order history that takes longer than the doctor is a note, not a wrong address', async () => {
  fakeTimers()
  const asked = new EventEmitter()
  const arrived = once(asked, 'history')
  const never = (): Promise<never> => {
    asked.emit('history')
    return new Promise(() => {})
  }
  const diagnosed = diagnose(instead(/order_history$/, never))
  await arrived
  await vi.advanceTimersByTimeAsync(5_000)
  const { checks } = await diagnosed
  expect(checks.find(({ name }) => name === 'order history')).toMatchObject({
    result: 'note',
    detail: expect.stringMatching(/^not counted/),
  })
})

test.each<[headers: Record<string, string | string[]>, string, Checkup['result'], string | RegExp]>([
  [{ 'x-frame-options': 'ALLOWALL' }, 'framing', 'ok', 'allowed on any page'],
  [{ 'x-frame-options': 'ALLOW-FROM https://shop.example' }, 'framing', 'ok', 'allowed on any page'],
  [{ 'x-frame-options': 'SameOrigin' }, 'framing', 'failed', 'refused by X-Frame-Options: SameOrigin'],
  [
    { 'content-security-policy': ['frame-ancestors *', "default-src 'self'"] },
    ...(['framing', 'ok', 'allowed on any page'] as const),
  ],
  [
    { 'content-security-policy': ["frame-ancestors 'none'", "default-src 'self'"] },
    ...(['framing', 'failed', "refused by frame-ancestors 'none'"] as const),
  ],
  [
    { 'cross-origin-opener-policy': 'unsafe-none; report-to="reports"' },
    ...(['popup', 'ok', 'can be observed'] as const),
  ],
  [
    { 'cross-origin-opener-policy': 'same-origin; report-to="reports"' },
    ...(['popup', 'note', /COOP same-origin\)/] as const),
  ],
])(
  'headers of the widget page are read as a browser reads them: %j',
  async (headers, name, result, detail) => {
    const widgetUrl = await serverUntilTheEnd((_, response) => response.writeHead(200, headers).end())
    const { checks } = await diagnose({ widgetUrl }, false)
    expect(checks).toContainEqual(
      expect.objectContaining({ name, result, detail: expect.stringMatching(detail) }),
    )
  },
)

// Promise: doctor/late

test('the doctor ends after eight seconds when the service stalls after its first answer', async () => {
  const asked = new EventEmitter()
  const paths: string[] = []
  const silent = await serverUntilTheEnd(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://silent')
    paths.push(pathname)
    if (pathname === '/api/widget/refresh/access_token') response.end('{"accessToken":"a-token"}')
    else asked.emit(pathname)
  })
  const all = ['/api/widget/refresh/access_token/expire_date', '/api/pw/launch'].map((path) =>
    once(asked, path),
  )
  const page = once(asked, '/widget/')
  const addresses = { widgetUrl: silent, widgetApiUrl: silent, baseUrl: silent }
  fakeTimers()
  const startedAt = performance.now()
  const client = service.client({ ...addresses, timeoutMs: 5_000 })
  const diagnosed = runDoctor({ client, createTokens: true, companion: `${silent}/api/pw` })
  await Promise.all(all)
  await vi.advanceTimersByTimeAsync(5_000)
  await page
  await vi.advanceTimersByTimeAsync(3_000)
  const {
    checks: [token, ...checks],
  } = await diagnosed
  expect(performance.now() - startedAt).toBe(8_000)
  expect(token).toMatchObject({ name: 'access token', result: 'ok' })
  const ofService = /check that this server can reach it/
  const expected: [name: string, setting: string, remedy: RegExp][] = [
    ['token expiry', 'PURCHASE_WIDGET_API_URL', ofService],
    ['transaction lookup', 'PURCHASE_BASE_URL', ofService],
    ['subscription lookup', 'PURCHASE_BASE_URL', ofService],
    ['user operations', 'PURCHASE_BASE_URL', ofService],
    ['widget page', 'PURCHASE_WIDGET_URL', /Set PURCHASE_WIDGET_URL/],
    ['companion', '--companion', /check that the server runs/],
  ]
  expect(checks).toMatchObject(
    expected.map(([name, setting, remedy]) => ({
      ...{ name, result: 'failed', setting, status: null },
      address: expect.stringContaining(silent),
      remedy: expect.stringMatching(remedy),
    })),
  )
  expect(checks[4]?.detail).toBe('no answer in time')
  // A service that does not answer one operation gets no request for another token.
  expect(paths.filter((path) => path === '/api/widget/refresh/access_token')).toHaveLength(1)
})

// Promise: doctor/service

async function rowOf(orderId: string, wanted: string, store?: DoctorOptions['store']) {
  const { checks } = await runDoctor({ client: service.client(), createTokens: false, orderId, store })
  return checks.find(({ name }) => name === wanted)
}

const purchaseId = 'A1b2C3d4E5f6G7h8I9j0-_'
const redirect_url = `https://shop.example/api/purchase-widget/return/${purchaseId}`

test.each<[string, Record<string, string>, string, RegExp]>([
  ['as given', { redirect_url }, 'ok', /^comes back as given/],
  ['with more', { redirect_url: `${redirect_url}?status=ok` }, 'ok', /^comes back with more appended/],
  ['cut', { redirect_url: redirect_url.slice(0, -5) }, 'failed', /^cut after \d+ characters/],
  ['absent', {}, 'failed', /^absent/],
  [
    'the merchant’s own',
    { redirect_url: 'https://shop.example/thanks' },
    'failed',
    /^not one of a companion/,
  ],
  ['carried by custom_id', { custom_id: `purchase_${purchaseId}` }, 'note', /^absent: carried by custom_id/],
])('a return address that is %s is reported as such', async (_, params, result, detail) => {
  const { id } = await service.buy({ product_id: 'gold-100', ...params })
  const row = await rowOf(id, 'return address')
  expect(row).toMatchObject({ result, detail: expect.stringMatching(detail) })
})

test.each([
  ['asGiven', { result: 'ok', detail: 'come as they were decided' }],
  ['rounded', { result: 'failed', detail: 'quote_amount was decided as 9.99 and comes as 10.00' }],
  ['withFees', { result: 'failed', detail: 'quote_amount was decided as 9.99 and comes as 10.34' }],
])('amounts that arrive %s are compared with the decided ones (U23)', async (amounts, expected) => {
  await service.control('PATCH', '/switches', { amounts })
  const store = memoryStore()
  const companion = companionOf(service.client(), {
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
    store,
  })
  const { params } = (await (await companion.fetch(post('/launch', {}, 'ada'))).json()) as TokenGrant
  const { id } = await service.buy(params)
  const row = await rowOf(id, 'amounts', store)
  expect(row).toMatchObject(expected)
  const remedy = expect.stringContaining('rounds amounts or adds fees is not supported')
  if (expected.result === 'failed') expect(row).toMatchObject({ remedy })
})

test('amounts of a purchase that cannot be read are not compared', async () => {
  const { id } = await service.buy({ product_id: 'gold-100' })
  expect(await rowOf(id, 'amounts')).toMatchObject({
    detail: 'not compared: name your companion with --module',
  })
  expect(await rowOf(id, 'amounts', memoryStore())).toMatchObject({
    detail: 'not compared: the store has no purchase of this order',
  })
})

test('a blank id of an order is not a matter of the service', async () => {
  expect(await rowOf('', 'order')).toMatchObject({
    ...{ result: 'failed', setting: '--order', status: null, detail: 'the id is blank' },
    remedy: expect.stringContaining('an order of this account'),
  })
})

test('an order of another account fails', async () => {
  expect(await rowOf('unknown', 'order')).toMatchObject({
    result: 'failed',
    setting: '--order',
    status: 404,
    address: service.urls.baseUrl,
    remedy: expect.stringContaining('an order of this account'),
  })
})
