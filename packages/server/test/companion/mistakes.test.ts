// Promise: companion/mistakes
/**
 * Deliberate setup mistakes, one at a time: the answer in development and the server's log name each one, with its setting and both
 * values. In production the answer stays the same.
 */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { warnTo } from '../../src/companion/report.ts'
import { ApiError } from '../../src/errors.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
  createCompanion,
  memoryStore,
  type RequestInfo,
} from '../../src/index.ts'
import { mistakes as known, sentenceOf, settingCause } from '../../src/mistakes.ts'
import { navigation } from '../support/companion.ts'
import { answering, type Listening, listen } from '../support/http.ts'
import { serviceVariables } from '../support/serving.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const page = 'https://shop.example'
const right = `${page}/api/pw`
const inside = 'http://127.0.0.1:3000/api/pw'

const service = await serviceOfThisFile()
let notFound: Listening
let warned: string[]
const log = (): string => warned.join('\n')

beforeAll(async () => {
  notFound = await listen(answering(404, 'text/html', '<!doctype html><title>Not found</title>'))
})
beforeEach(() => {
  warned = []
  // As in a process that has logged nothing yet.
  warnTo((cause) => warned.push(sentenceOf(cause)))
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => notFound.close())

/** How to create and call a companion. */
interface Asked {
  env?: () => Record<string, string>
  options?: { [Option in keyof CompanionOptions]?: CompanionOptions[Option] | undefined }
  at?: string
  method?: 'GET' | 'POST' | 'OPTIONS'
  path?: string
  headers?: Record<string, string>
  info?: RequestInfo
}

interface Mistake extends Asked {
  name: string
  /** The required parts of the message: the setting, and both values. */
  says: (string | RegExp)[]
  /** The answer in production; null if the mistake refuses no request. */
  today: string | null
}

const refusal = (code: string, message: string): string => JSON.stringify({ error: { code, message } })
const forbidden = refusal(
  'forbidden_origin',
  'This page may not call the companion. Add its origin to allowedOrigins if it is yours.',
)
const notSetUp = refusal(
  'service_unavailable',
  'The shop cannot sell at the moment: its server is not set up yet.',
)
const away = refusal(
  'service_unavailable',
  'The purchase service cannot be reached at the moment. Try again soon.',
)
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

const mistakes: Mistake[] = [
  {
    name: 'PURCHASE_COMPANION_URL has another host',
    env: () => ({ PURCHASE_COMPANION_URL: 'https://www.shop.example/api/pw' }),
    headers: sameOrigin,
    says: ['https://www.shop.example/api/pw (PURCHASE_COMPANION_URL)', `page is at ${page}`, `to ${right}`],
    today: forbidden,
  },
  {
    name: 'PURCHASE_COMPANION_URL has another port',
    env: () => ({ PURCHASE_COMPANION_URL: 'http://localhost:4000/api/pw' }),
    headers: { origin: 'http://localhost:3000' },
    says: ['http://localhost:4000/api/pw (PURCHASE_COMPANION_URL)', 'page is at http://localhost:3000'],
    today: forbidden,
  },
  {
    name: 'url has another host',
    options: { url: 'https://www.shop.example/api/pw' },
    headers: sameOrigin,
    says: ['https://www.shop.example/api/pw (url)', `page is at ${page}`, `set url to ${right}`],
    today: forbidden,
  },
  {
    name: 'a proxy does not pass Host',
    env: () => ({ PURCHASE_COMPANION_URL: '' }),
    at: inside,
    headers: sameOrigin,
    says: [`${inside} (the Host header)`, `page is at ${page}`, `PURCHASE_COMPANION_URL to ${right}`],
    today: notSetUp,
  },
  {
    name: 'a proxy passes X-Forwarded-Host, and trustProxy is not set',
    env: () => ({ PURCHASE_COMPANION_URL: '' }),
    at: inside,
    headers: { ...sameOrigin, 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' },
    says: [inside, page, 'trustProxy: 1'],
    today: notSetUp,
  },
  {
    name: 'a proxy ends TLS, and trustProxy is not set',
    env: () => ({ PURCHASE_COMPANION_URL: '' }),
    at: 'http://shop.example/api/pw',
    headers: { 'x-forwarded-proto': 'https' },
    says: ['http://shop.example/api/pw', page, 'trustProxy: 1'],
    today: notSetUp,
  },
  {
    name: 'allowedOrigins lacks the page',
    options: { allowedOrigins: ['https://www.shop.example'] },
    says: [
      `page is at ${page}`,
      'allowed origins are https://www.shop.example',
      `add '${page}' to allowedOrigins`,
    ],
    today: forbidden,
  },
  {
    name: 'allowedOrigins lacks the page, which is on the companion’s own origin',
    options: { allowedOrigins: ['https://www.shop.example'] },
    headers: sameOrigin,
    says: [
      `page is at ${page}`,
      'allowed origins are https://www.shop.example',
      `add '${page}' to allowedOrigins`,
    ],
    today: forbidden,
  },
  {
    name: 'allowedOrigins is not given, and the page is on another host of the site',
    headers: { origin: 'https://app.shop.example', 'sec-fetch-site': 'same-site' },
    says: ['page is at https://app.shop.example', `allowed origins are ${page}`, 'to allowedOrigins'],
    today: forbidden,
  },
  {
    name: 'a preflight of a page that is not allowed',
    method: 'OPTIONS',
    headers: { origin: 'https://app.shop.example' },
    says: ['https://app.shop.example', page],
    today: refusal('forbidden_origin', 'This page may not call the companion.'),
  },
  {
    name: 'the page is in a sandboxed frame',
    headers: { origin: 'null' },
    says: ['Origin: null', 'allow-same-origin'],
    today: forbidden,
  },
  {
    name: 'a proxy removes Origin',
    headers: { origin: '' },
    says: ['no Origin header'],
    today: forbidden,
  },
  {
    name: 'a proxy rewrites Origin',
    headers: { 'sec-fetch-site': 'cross-site' },
    says: [`Origin is ${page}`, 'Sec-Fetch-Site: cross-site'],
    today: forbidden,
  },
  {
    name: 'PURCHASE_COMPANION_URL has a wrong path',
    env: () => ({ PURCHASE_COMPANION_URL: `${page}/api/purchases` }),
    says: [`at another path than ${page}/api/purchases (PURCHASE_COMPANION_URL)`],
    today: null,
  },
  { name: 'no onOrder', options: { onOrder: undefined }, says: ['no onOrder'], today: null },
  {
    name: 'no createPurchase',
    options: { createPurchase: undefined },
    says: ['no createPurchase', 'unchecked'],
    today: null,
  },
  {
    name: 'behind a proxy without trustProxy',
    headers: { 'x-forwarded-for': '203.0.113.9' },
    info: { address: '127.0.0.1' },
    says: ['127.0.0.1', 'X-Forwarded-For', 'trustProxy: 1'],
    today: null,
  },
  {
    name: 'PURCHASE_WIDGET_URL ends in /widget/',
    env: () => ({ PURCHASE_WIDGET_URL: `${service.urls.widgetUrl}/widget/` }),
    says: ['PURCHASE_WIDGET_URL (', '/widget/widget/'],
    today: null,
  },
  {
    name: 'PURCHASE_WIDGET_API_URL is where nobody listens',
    env: () => ({ PURCHASE_WIDGET_API_URL: 'http://127.0.0.1:1' }),
    says: ['PURCHASE_WIDGET_API_URL (http://127.0.0.1:1)', /ECONNREFUSED|cannot be reached/],
    today: away,
  },
  {
    name: 'PURCHASE_WIDGET_API_URL is of another server',
    env: () => ({ PURCHASE_WIDGET_API_URL: notFound.url }),
    says: [/PURCHASE_WIDGET_API_URL \(http:\/\/127\.0\.0\.1:\d+\) answers 404/],
    today: away,
  },
  {
    name: 'PURCHASE_BASE_URL has no https',
    env: () => ({ PURCHASE_BASE_URL: 'http://api.service.example' }),
    says: ['PURCHASE_BASE_URL must use https'],
    today: notSetUp,
  },
  {
    name: 'PURCHASE_API_KEY and PURCHASE_SECRET_KEY are missing',
    env: () => ({ PURCHASE_API_KEY: '', PURCHASE_SECRET_KEY: '' }),
    says: ['set PURCHASE_API_KEY, PURCHASE_SECRET_KEY'],
    today: notSetUp,
  },
  {
    name: 'PURCHASE_SECRET_KEY is of another account',
    env: () => ({ PURCHASE_SECRET_KEY: 'another-secret-key' }),
    says: ['refuses PURCHASE_API_KEY or PURCHASE_SECRET_KEY (401)', 'PURCHASE_WIDGET_API_URL'],
    today: away,
  },
]

/** A companion with a valid setup, except for these options. */
function companionWith({ env, options }: Asked): Companion {
  const settings = { PURCHASE_COMPANION_URL: right, ...serviceVariables(service), ...env?.() }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return createCompanion({
    store: memoryStore(),
    authorize: () => ({ customId: 'ada' }),
    createPurchase: () => ({ params: { product_id: 'gold-100' }, open: ['quote', 'quote_amount'] }),
    onOrder: () => {},
    onError: () => {},
    ...options,
  } as CompanionOptions)
}

/** The second answer to the same request: by then everything that is logged once has been logged. */
async function answerTo(asked: Asked): Promise<{ status: number; text: string }> {
  const { at = right, method = 'POST', path = '/launch', headers, info } = asked
  const companion = companionWith(asked)
  const all = new Headers({ origin: page, 'content-type': 'application/json', ...headers })
  if (headers?.origin === '' || method === 'GET') all.delete('origin')
  const ask = async (): Promise<Response> =>
    companion.fetch(
      new Request(`${at}${path}`, { method, headers: all, ...(method === 'POST' ? { body: '{}' } : {}) }),
      info,
    )
  await ask()
  const answer = await ask()
  await companion.close()
  return { status: answer.status, text: await answer.text() }
}

/** Logged once, and without a secret. */
function expectOneWarning(): void {
  expect(warned).toHaveLength(1)
  for (const secret of [...Object.values(service.credentials), 'another-secret-key'])
    expect(log()).not.toContain(secret)
}

describe.each(mistakes)('$name', (mistake) => {
  const { says, today } = mistake

  test('is named where a developer looks', async () => {
    const { status, text } = await answerTo(mistake)
    const shown = today === null ? log() : (JSON.parse(text) as { error: { message: string } }).error.message
    for (const words of says) {
      expect(log()).toMatch(words)
      expect(shown).toMatch(words)
    }
    if (today === null) expect(status).toBe(200)
    expectOneWarning()
  })

  test('changes no answer in production, and is logged once', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { text } = await answerTo(mistake)
    if (today === null) expect(text).toMatch(/^\{"purchaseId":/)
    else expect(text).toBe(today)
    expectOneWarning()
  })
})

test('a shopper who follows a link reads the cause below the sentence in development, and only the sentence in production', async () => {
  const asked = {
    env: () => ({ PURCHASE_WIDGET_API_URL: 'http://127.0.0.1:1' }),
    method: 'GET',
    path: '/launch?product_id=gold-100',
    headers: { accept: 'text/html', ...navigation('none') },
  } as const
  const { text: shown } = await answerTo(asked)
  expect(shown).toContain('<p lang="en" dir="ltr">PURCHASE_WIDGET_API_URL (http://127.0.0.1:1)')
  vi.stubEnv('NODE_ENV', 'production')
  const { text } = await answerTo(asked)
  expect(text).not.toMatch(/PURCHASE_|127\.0\.0\.1:1\b/)
  expect(text).toContain('<h1>')
})

test.each(['development', 'production'])(
  'a misspelt link has the same sentence in %s, and names the path to its developer alone',
  async (mode) => {
    vi.stubEnv('NODE_ENV', mode)
    const companion = createCompanion({ authorize: () => null, url: right, store: memoryStore() })
    const answer = await companion.fetch(
      new Request(`${right}/lauch?product_id=gold-100`, {
        headers: { ...navigation('same-origin'), accept: 'text/html' },
      }),
    )
    const html = await answer.text()
    expect(answer.status).toBe(404)
    expect(html).toContain('This link does not work any more.')
    expect(html.includes('There is no such route.')).toBe(mode === 'development')
    const signedOut = await companion.fetch(
      new Request(`${right}/launch?product_id=gold-100`, {
        headers: { ...navigation('same-origin'), accept: 'text/html', cookie: 'a=b' },
      }),
    )
    expect((await signedOut.text()).match(/Sign in first\./g)).toHaveLength(1)
  },
)

test('a missing setting is named when the server starts, before the first request', async () => {
  const companion = companionWith({ env: () => ({ PURCHASE_API_KEY: '' }) })
  companion.start()
  expect(log()).toContain('set PURCHASE_API_KEY.')
  await companion.close()
})

test('a PURCHASE_BASE_URL without a server is named once an order cannot be delivered', async () => {
  const companion = companionWith({ env: () => ({ PURCHASE_BASE_URL: 'http://127.0.0.1:1' }) })
  await companion.syncOrder({ order_id: 'one' })
  await vi.waitFor(() => expect(log()).toContain('PURCHASE_BASE_URL (http://127.0.0.1:1)'), {
    timeout: 20_000,
  })
  await companion.close()
})

test('a webhook that names no order is reported if it has the key, and not if anybody may have sent it', async () => {
  const companion = companionWith({})
  const key = await webhookKeyOf(service.client())
  const send = async (path: string): Promise<number> =>
    (await companion.fetch(new Request(`${right}${path}`, { method: 'POST', body: '{"received":true}' })))
      .status
  expect([await send('/webhook'), await send('/webhook/unknown'), log()]).toEqual([202, 202, ''])
  expect([await send(`/webhook/${key}`), await send(`/webhook/${key}`)]).toEqual([202, 202])
  expect(log()).toContain('names no order')
  expectOneWarning()
  await companion.close()
})

test.each([
  ['accessTokens.create', 401, 'keys_refused'],
  ['transactions.retrieve', 401, 'keys_refused'],
  ['transactions.retrieve', 403, 'permission_missing'],
  ['orders.list', 401, 'service_failing'],
  ['orders.list', 403, 'service_failing'],
  ['accessTokens.expireDate', 401, 'service_failing'],
])('a refusal names a key only if the operation uses one: %s, %s', (operation, status, mistake) => {
  const addresses = { widgetApiUrl: right, baseUrl: right, userBaseUrl: right }
  const refusal = new ApiError(operation, 'no', { status, refusedBy: 'service' })
  expect(settingCause(refusal, { addresses })).toMatchObject({ mistake })
})

test('a shopper over an allowance that a proxy’s shoppers share gets the reason in development alone', async () => {
  const asked = {
    options: { rateLimit: { perAddress: 1 } },
    headers: { 'x-forwarded-for': '203.0.113.9' },
    info: { address: '10.0.0.7' },
  }
  const { text: shown } = await answerTo(asked)
  expect(shown).toContain('Rate limits count every shopper as 10.0.0.7')
  vi.stubEnv('NODE_ENV', 'production')
  expect((await answerTo(asked)).text).toMatch(
    /^\{"error":\{"code":"too_many_requests","message":"Too many requests\. Try again in \d+ s\."\}\}$/,
  )
})

test('a trusted proxy, or a shopper on a private network, is no mistake', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7, 192.168.1.20' }
  for (const address of ['192.168.1.20', '198.51.100.7', '::ffff:192.168.1.20']) {
    await answerTo({ headers, info: { address } })
  }
  expect(log()).toBe('')
})

test('an address that a caller sends is not repeated, and an origin is truncated', async () => {
  const info = { address: '127.0.0.1' }
  await answerTo({ info, headers: { 'x-forwarded-for': 'jane.doe@shopper.example' } })
  await answerTo({ info, headers: { origin: `https://${'x'.repeat(5_000)}` } })
  expect(log()).toContain('X-Forwarded-For')
  expect(log()).not.toContain('jane.doe')
  expect(log()).toMatch(/page is at https:\/\/xxx.*…/)
  expect(log().length).toBeLessThan(1_500)
})

test('a request of Express or node:http is reported as one that the companion cannot take', async () => {
  const companion = createCompanion({ authorize: () => null, store: memoryStore() })
  const request = { method: 'POST', url: '/launch', headers: { host: 'shop.example' } }
  await expect(companion.fetch(request as never)).rejects.toThrow(
    /other than a web Request.*toNodeHandler\(companion\)/,
  )
  await expect(companion.fetch(undefined as never)).rejects.toThrow(/toNodeHandler/)
})

test('the server that Bun passes to its `fetch` is reported as no information about the caller', async () => {
  const companion = createCompanion({ authorize: () => null, store: memoryStore() })
  const server = { address: { address: '127.0.0.1', family: 'IPv4', port: 3000 } }
  const answer = companion.fetch(new Request('http://shop.example/purchase-widget.js'), server as never)
  await expect(answer).rejects.toThrow(/address must be the network address of the caller.*requestIP/)
})

test('docs/errors.md has every mistake in the package, word for word', () => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('## What the companion and the doctor say')
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.slice(2)).toEqual(Object.values(known).map(({ seen, remedy }) => `| ${seen} | ${remedy} |`))
})
