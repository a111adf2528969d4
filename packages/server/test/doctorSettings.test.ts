// Promise: doctor/service
/** Wrong settings, one at a time, as merchants have them: the doctor names the setting, the address, the status and what to do. */
import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import {
  type CompanionOptions,
  clientFromEnv,
  type Diagnosis,
  type DoctorOptions,
  memoryStore,
  runDoctor,
  toNodeHandler,
} from '../src/index.ts'
import { companionOf } from './support/companion.ts'
import { type Listening, listen } from './support/http.ts'
import { type Service, startService } from './support/service.ts'

/** Hangs: accepts, and never answers. */
const silent: RequestListener = () => {}
const notFound: RequestListener = (_, response) =>
  response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>Not found</title>')
const moved: RequestListener = ({ url }, response) =>
  response.writeHead(301, { location: `https://www.shop.example${url}` }).end()

let service: Service
const servers: Listening[] = []
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await service.close()
  recordFigure('wrong settings that the doctor names', `${named} of ${wrong.length}`)
})

const at = async (handler: RequestListener): Promise<string> => {
  const server = await listen(handler)
  servers.push(server)
  return server.url
}

/** A port that was free a moment ago. */
async function nobody(): Promise<string> {
  const server = await listen(notFound)
  await server.close()
  return server.url
}

const rightEnv = (): Record<string, string> => ({
  PURCHASE_WIDGET_URL: service.urls.widgetUrl,
  PURCHASE_WIDGET_API_URL: service.urls.widgetApiUrl,
  PURCHASE_BASE_URL: service.urls.baseUrl,
  PURCHASE_API_KEY: service.credentials.apiKey,
  PURCHASE_SECRET_KEY: service.credentials.secretKey,
})

/** A shop's server with a companion, whose headers may be added to on the way out. */
async function mount(
  options: Partial<CompanionOptions> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const server = createServer()
  const handler = toNodeHandler(companionOf(service.client(), options))
  server.on('request', (request, response) => {
    const writeHead = response.writeHead.bind(response)
    response.writeHead = ((status: number, given: object) =>
      writeHead(status, { ...given, ...headers })) as typeof response.writeHead
    void handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  servers.push({ url, close })
  return url
}

interface Settings {
  env?: Record<string, string>
  options?: Partial<DoctorOptions>
}

const MOST_MS = 10_000

async function diagnose({ env = {}, options = {} }: Settings): Promise<Diagnosis> {
  const startedAt = performance.now()
  const client = clientFromEnv({ ...rightEnv(), ...env }, { timeoutMs: 5_000 })
  const diagnosis = await runDoctor({ client, createTokens: true, ...options })
  expect(performance.now() - startedAt).toBeLessThan(MOST_MS)
  return diagnosis
}

interface Wrong {
  name: string
  set: () => Promise<Settings> | Settings
  /** Every check that fails, and no other. */
  fails: string[]
  setting: string
  /** Ends with; null when nobody was asked. */
  address: RegExp | null
  status: number | null
  remedy: RegExp
}

const everyLookup = ['transaction lookup', 'subscription lookup', 'user operations']

const wrong: Wrong[] = [
  {
    name: 'PURCHASE_BASE_URL is of another server',
    set: async () => ({ env: { PURCHASE_BASE_URL: await at(notFound) } }),
    fails: everyLookup,
    setting: 'PURCHASE_BASE_URL',
    address: /^http:\/\/127\.0\.0\.1:\d+$/,
    status: 404,
    remedy: /Set PURCHASE_BASE_URL to the service's address/,
  },
  {
    name: 'PURCHASE_BASE_URL redirects',
    set: async () => ({ env: { PURCHASE_BASE_URL: await at(moved) } }),
    fails: everyLookup,
    setting: 'PURCHASE_BASE_URL',
    address: /127/,
    status: 301,
    remedy: /the address that it redirects to/,
  },
  {
    name: 'PURCHASE_BASE_URL is where nobody listens',
    set: async () => ({ env: { PURCHASE_BASE_URL: await nobody() } }),
    fails: everyLookup,
    setting: 'PURCHASE_BASE_URL',
    address: /127/,
    status: null,
    remedy: /Set PURCHASE_BASE_URL/,
  },
  {
    name: 'PURCHASE_BASE_URL hangs',
    set: async () => ({ env: { PURCHASE_BASE_URL: await at(silent) } }),
    fails: everyLookup,
    setting: 'PURCHASE_BASE_URL',
    address: /127/,
    status: null,
    remedy: /whether this machine may reach that address/,
  },
  {
    name: 'PURCHASE_USER_BASE_URL is of another server',
    set: async () => ({ env: { PURCHASE_USER_BASE_URL: await at(notFound) } }),
    fails: ['user operations'],
    setting: 'PURCHASE_USER_BASE_URL',
    address: /127/,
    status: 404,
    remedy: /Set PURCHASE_USER_BASE_URL/,
  },
  {
    name: 'PURCHASE_WIDGET_API_URL is of another server',
    set: async () => ({ env: { PURCHASE_WIDGET_API_URL: await at(notFound) } }),
    fails: ['access token'],
    setting: 'PURCHASE_WIDGET_API_URL',
    address: /127/,
    status: 404,
    remedy: /address of tokens/,
  },
  {
    name: 'PURCHASE_WIDGET_URL is of another server',
    set: async () => ({ env: { PURCHASE_WIDGET_URL: await at(notFound) } }),
    fails: ['widget page'],
    setting: 'PURCHASE_WIDGET_URL',
    address: /\/widget\/$/,
    status: 404,
    remedy: /without \/widget\//,
  },
  {
    name: 'PURCHASE_API_KEY is of another account',
    set: () => ({ env: { PURCHASE_API_KEY: 'another-key' } }),
    fails: ['access token', ...everyLookup],
    setting: 'PURCHASE_API_KEY',
    address: /127/,
    status: 401,
    remedy: /Copy the whole value from the dashboard/,
  },
  {
    name: 'the two keys are swapped',
    set: () => ({
      env: {
        PURCHASE_API_KEY: service.credentials.secretKey,
        PURCHASE_SECRET_KEY: service.credentials.apiKey,
      },
    }),
    fails: ['access token', ...everyLookup],
    setting: 'PURCHASE_API_KEY',
    address: /127/,
    status: 401,
    remedy: /that the two keys are not swapped\.$/,
  },
  {
    name: 'PURCHASE_SECRET_KEY is of another account',
    set: () => ({ env: { PURCHASE_SECRET_KEY: 'another-key' } }),
    fails: ['access token'],
    setting: 'PURCHASE_SECRET_KEY',
    address: /127/,
    status: 401,
    remedy: /takes the API key and refuses this one/,
  },
  {
    name: 'the API key lacks a permission',
    set: async () => {
      await service.control('PATCH', '/switches', { keyPermission: 'missing' })
      return {}
    },
    fails: ['transaction lookup', 'subscription lookup'],
    setting: 'PURCHASE_API_KEY',
    address: /127/,
    status: 403,
    remedy: /Ask the service for the permission/,
  },
  {
    name: 'the companion is mounted elsewhere',
    set: async () => ({ options: { companion: `${await at(notFound)}/api` } }),
    fails: ['companion'],
    setting: '--companion',
    address: /\/api\/launch$/,
    status: 404,
    remedy: /mount it there, or give --companion its address/,
  },
  {
    name: 'the companion hangs',
    set: async () => ({ options: { companion: await at(silent) } }),
    fails: ['companion'],
    setting: '--companion',
    address: /127/,
    status: null,
    remedy: /whether the server runs/,
  },
  {
    name: 'allowedOrigins lacks the page',
    set: async () => ({ options: { companion: await mount(), page: 'https://shop.example' } }),
    fails: ['own page'],
    setting: 'allowedOrigins',
    address: /\/launch$/,
    status: 403,
    remedy: /add 'https:\/\/shop\.example' to allowedOrigins/,
  },
  {
    name: 'helmet’s defaults lie over the return page',
    set: async () => ({
      options: {
        companion: await mount(
          {},
          {
            'content-security-policy': "default-src 'self';frame-ancestors 'self'",
            'cross-origin-opener-policy': 'same-origin',
          },
        ),
      },
    }),
    fails: ['return page'],
    setting: "your server's headers",
    address: /\/return\/\w+$/,
    status: 200,
    remedy: /before helmet/,
  },
  {
    name: 'CORS for all lies over the companion',
    set: async () => ({ options: { companion: await mount({}, { 'access-control-allow-origin': '*' }) } }),
    fails: ['companion'],
    setting: 'allowedOrigins',
    address: /\/launch$/,
    status: 403,
    remedy: /take the CORS middleware off/,
  },
  {
    name: 'the store forgets, in production',
    set: () => ({ options: { store: memoryStore(), production: true } }),
    fails: ['store'],
    setting: 'store',
    address: null,
    status: null,
    remedy: /sqliteStore/,
  },
  {
    name: 'the order is of another account',
    set: () => ({ options: { orderId: 'unknown' } }),
    fails: ['order'],
    setting: '--order',
    address: /127/,
    status: 404,
    remedy: /an order of this account/,
  },
]

let named = 0

test.each(wrong)('$name', async ({ set, fails, setting, address, status, remedy }) => {
  const { checks, healthy } = await diagnose(await set())
  const failed = checks.filter((check) => check.result === 'failed')
  expect(failed.map(({ name }) => name)).toEqual(fails)
  expect(healthy).toBe(false)
  for (const check of failed) {
    expect(check).toMatchObject({ setting, status, remedy: expect.stringMatching(remedy) })
    if (address === null) expect(check.address).toBeNull()
    else expect(check.address).toMatch(address)
  }
  named++
})

test('the right settings pass, with the page on another origin too', async () => {
  const companion = await mount({ allowedOrigins: ['https://shop.example'] })
  const options = { companion, page: 'https://shop.example', store: { forgets: false }, production: true }
  const { checks, healthy } = await diagnose({ options })
  expect(checks.filter(({ result }) => result !== 'ok')).toEqual([])
  expect(healthy).toBe(true)
})
