// Promise: doctor/companion
/** The doctor on companions at wrong addresses, behind servers that change their answers, and in shops that sell to everybody. */
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Checkup,
  type CompanionOptions,
  type DoctorOptions,
  PurchaseRefused,
  runDoctor,
  toNodeHandler,
} from '../../src/index.ts'
import { companionOf } from '../support/companion.ts'
import { answering } from '../support/http.ts'
import { serverUntilTheEnd, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
afterEach(() => void vi.unstubAllEnvs())

const page = 'https://shop.example'

/** A companion below /api/pw, whose server may set headers before it, or change them afterwards. */
async function mount(
  options: Partial<CompanionOptions> = {},
  { before = {}, after = {} }: { before?: Record<string, string>; after?: Record<string, string> } = {},
): Promise<string> {
  const handle = toNodeHandler(companionOf(service.client(), options))
  const url = await serverUntilTheEnd((request, response) => {
    for (const [name, value] of Object.entries(before)) response.setHeader(name, value)
    const writeHead = response.writeHead.bind(response)
    response.writeHead = ((status: number, given: object) =>
      writeHead(status, { ...given, ...after })) as typeof writeHead
    void handle(request, response)
  })
  return `${url}/api/pw`
}

async function diagnose(options: Partial<DoctorOptions>): Promise<Checkup[]> {
  return (await runDoctor({ client: service.client(), createTokens: false, ...options })).checks
}

const failedOf = (checks: Checkup[]): Checkup[] => checks.filter(({ result }) => result === 'failed')
const rowOf = (checks: Checkup[], wanted: string): Checkup | undefined =>
  checks.find(({ name }) => name === wanted)

const everybody: Partial<CompanionOptions> = { authorize: () => ({ customId: 'ada' }) }

describe('a companion that is mounted correctly', () => {
  const frames = { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': "default-src 'self'" }

  test('passes, behind helmet’s frame headers', async () => {
    const companion = await mount({}, { before: frames })
    const checks = await diagnose({ companion, createTokens: true })
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([])
    expect(rowOf(checks, 'return page')?.detail).toBe(`may be framed by ${new URL(companion).origin}`)
  })

  test('a companion for pages of other origins alone passes with a note about the pages that it refuses', async () => {
    const checks = await diagnose({ companion: await mount({ allowedOrigins: [page] }) })
    const detail = expect.stringMatching(/refuses pages of .*add '.*' to allowedOrigins/)
    expect(rowOf(checks, 'own page')).toMatchObject({ result: 'note', detail })
    expect(failedOf(checks)).toEqual([])
    expect(rowOf(checks, 'return page')?.detail).toBe(`may be framed by ${page}`)
  })

  test('a page on another origin must allow the companion', async () => {
    const { pageNeeds } = await runDoctor({
      client: service.client(),
      createTokens: false,
      companion: 'http://localhost:1/purchase-widget',
    })
    const { widgetUrl } = service.urls
    expect(pageNeeds['Content-Security-Policy']).toBe(
      `frame-src 'self' http://localhost:1 ${widgetUrl}; connect-src 'self' http://localhost:1`,
    )
  })
})

describe('a companion that fails', () => {
  const open = { 'access-control-allow-origin': '*' }
  const opener = { 'cross-origin-opener-policy': 'same-origin' }
  const helmet = { 'content-security-policy': "default-src 'self';frame-ancestors 'self'", ...opener }

  test.each<
    [string, () => Promise<string>, check: string, setting: string, status: number, RegExp, remedy: RegExp]
  >([
    [
      'because helmet replaces its policy',
      () => mount({ allowedOrigins: [page] }, { after: helmet }),
      ...(['return page', "your server's headers", 200, /was replaced/, /before helmet/] as const),
    ],
    [
      'because an opener policy lies over it',
      () => mount({ allowedOrigins: [page] }, { after: opener }),
      ...(['return page', "your server's headers", 200, /Opener-Policy/, /before helmet/] as const),
    ],
    [
      'because CORS for all lies over it',
      () => mount({ allowedOrigins: [page] }, { after: open }),
      ...(['companion', 'allowedOrigins', 403, /any origin/, /take the CORS middleware off/] as const),
    ],
    [
      'because it gives everybody a token',
      () => serverUntilTheEnd(answering(200, 'application/json', '{"accessToken":"x"}')),
      ...(['companion', 'allowedOrigins', 200, /any origin/, /answer or rewrite the Origin/] as const),
    ],
    [
      'because it is broken',
      () => serverUntilTheEnd(answering(500, 'application/json', '{}')),
      ...(['companion', "your server's log", 500, /answers 500/, /see there why/] as const),
    ],
  ])('%s', async (_, companion, name, setting, status, detail, remedy) => {
    const checks = await diagnose({ companion: await companion() })
    expect(rowOf(checks, name)).toMatchObject({
      ...{ result: 'failed', setting, status },
      detail: expect.stringMatching(detail),
      remedy: expect.stringMatching(remedy),
    })
  })

  test.each([
    ['an SPA', answering(200, 'text/html', '<!doctype html><div id="root"></div>')],
    [
      'a page that quotes the address',
      (({ method, url }, response) =>
        answering(200, 'text/html', `Cannot ${method} ${url}`)({} as never, response)) as RequestListener,
    ],
    [
      'another API',
      answering(404, 'application/json', '{"error":{"code":"not_found","message":"No such thing."}}'),
    ],
    [
      'a server that answers no POST',
      ((request, response) => {
        if (request.method === 'POST') request.socket.destroy()
        else answering(404, 'text/html', 'Not found')(request, response)
      }) as RequestListener,
    ],
  ])('%s in place of the companion is reported as one failure', async (_, handler) => {
    const companion = `${await serverUntilTheEnd(handler)}/api/pw`
    const ofCompanion = ['companion address', 'companion', 'own page', 'return page', 'script file']
    const found = (await diagnose({ companion })).filter(({ name }) => ofCompanion.includes(name))
    expect(found).toEqual([
      expect.objectContaining({
        result: 'failed',
        name: 'companion',
        setting: '--companion',
        address: expect.stringContaining(`${companion}/`),
        detail: expect.stringContaining(`no companion answers at ${companion}`),
        remedy: 'mount it there, or give --companion its address',
      }),
    ])
  })
})

describe('a companion that is configured with another address', () => {
  test.each<[string, (companion: string) => string]>([
    ['another path', (companion) => companion.replace('/api/pw', '/api/purchase-widget')],
    ['another origin', () => `${page}/api/pw`],
  ])('the wrong address is reported: %s', async (_, elsewhere) => {
    for (const options of [{}, everybody]) {
      let believed = ''
      const handle: RequestListener = (request, response) =>
        toNodeHandler(companionOf(service.client(), { ...options, url: believed }))(request, response)
      const companion = `${await serverUntilTheEnd(handle)}/api/pw`
      believed = elsewhere(companion)
      const checks = await diagnose({ companion: `${companion}/` })
      expect(failedOf(checks)).toEqual([
        expect.objectContaining({
          name: 'companion address',
          detail: `The companion believes it is at ${believed}, but it answers at ${companion}.`,
          remedy: expect.stringContaining(`Set url or PURCHASE_COMPANION_URL to ${companion}`),
        }),
      ])
      expect(rowOf(checks, 'own page')).toBeUndefined()
    }
  })

  test.each([
    [
      'because of the variable',
      'PURCHASE_COMPANION_URL',
      `${page}/api/pw`,
      /^The companion believes it is at/,
    ],
    ['or nowhere, in production,', 'NODE_ENV', 'production', /^the companion does not know its own address$/],
  ])('a companion with a wrong address is reported, %s', async (_, variable, value, detail) => {
    const companion = await mount({ allowedOrigins: [page] })
    vi.stubEnv(variable, value)
    expect(failedOf(await diagnose({ companion }))[0]).toMatchObject({
      name: 'companion address',
      detail: expect.stringMatching(detail),
      remedy: expect.stringContaining(`Set url or PURCHASE_COMPANION_URL to ${companion}`),
    })
  })

  test('passes when its address is the one that it assumes', async () => {
    const companion = await mount()
    vi.stubEnv('PURCHASE_COMPANION_URL', `${companion}/`)
    expect(failedOf(await diagnose({ companion }))).toEqual([])
  })
})

describe('PURCHASE_COMPANION_URL', () => {
  test.each([
    ['shop', 'must be a full address'],
    ['http://shop.example/api', 'must use https'],
    ['https://shop.example/api?x=1', 'must not have a query'],
  ])('PURCHASE_COMPANION_URL=%s fails', async (value, problem) => {
    vi.stubEnv('PURCHASE_COMPANION_URL', value)
    for (const companion of [undefined, await mount({ url: 'https://shop.example/api' })]) {
      expect(failedOf(await diagnose({ companion }))[0]).toMatchObject({
        name: 'companion address',
        setting: 'PURCHASE_COMPANION_URL',
        detail: expect.stringMatching(`^PURCHASE_COMPANION_URL ${problem}`),
      })
    }
  })

  test('a missing PURCHASE_COMPANION_URL is a note with its remedy, and a valid one passes', async () => {
    vi.stubEnv('PURCHASE_COMPANION_URL', ' ')
    const detail = expect.stringMatching(/^PURCHASE_COMPANION_URL is not set: set it to/)
    expect(rowOf(await diagnose({}), 'companion address')).toMatchObject({ result: 'note', detail })
    expect(rowOf(await diagnose({ companion: await mount() }), 'companion address')).toBeUndefined()
    vi.stubEnv('PURCHASE_COMPANION_URL', 'https://shop.example/api')
    expect(rowOf(await diagnose({}), 'companion address')).toMatchObject({ result: 'ok' })
  })
})

test.each(['shop', 'http://shop.example/api'])(
  '--companion %s fails before any address is called',
  async (companion) => {
    const asked = vi.spyOn(globalThis, 'fetch')
    expect(failedOf(await diagnose({ companion }))).toEqual([
      expect.objectContaining({ name: 'companion address', setting: '--companion' }),
    ])
    expect(asked.mock.calls.filter(([address]) => String(address).includes('shop'))).toEqual([])
    asked.mockRestore()
  },
)

describe('a shop that sells to everybody', () => {
  test('passes when createPurchase refuses to sell nothing', async () => {
    const createPurchase = (): never => {
      throw new PurchaseRefused('Choose a product.')
    }
    const checks = await diagnose({ companion: await mount({ ...everybody, createPurchase }) })
    expect(rowOf(checks, 'own page')).toMatchObject({
      result: 'ok',
      detail: expect.stringMatching(/^pages of .* may call$/),
    })
  })

  test('a shop that issues a token is pointed to createPurchase, as well as authorize', async () => {
    const checks = await diagnose({ companion: await mount(everybody) })
    expect(rowOf(checks, 'own page')).toMatchObject({
      result: 'note',
      detail: expect.stringMatching(/without a session\. .*createPurchase.*authorize/),
    })
  })

  test.each([{ body: [] }, {}])(
    'a companion behind a body parser that leaves %j is pointed to the right place to mount it',
    async (left) => {
      const handle = toNodeHandler(companionOf(service.client(), everybody))
      const url = await serverUntilTheEnd(async (request, response) => {
        await text(request)
        await handle(Object.assign(request, left), response)
      })
      expect(failedOf(await diagnose({ companion: `${url}/api/pw` }))).toEqual([
        expect.objectContaining({
          name: 'own page',
          status: 400,
          remedy: 'mount the companion before body parsers',
        }),
      ])
    },
  )
})
