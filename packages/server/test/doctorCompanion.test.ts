// Promise: doctor/companion
/** The doctor before companions at wrong addresses, and before shops that decide by themselves whom they sell to. */
import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import {
  type Checkup,
  type CompanionOptions,
  type DoctorOptions,
  PurchaseRefused,
  runDoctor,
  toNodeHandler,
} from '../src/index.ts'
import { companionOf } from './support/companion.ts'
import { fakeTimers } from './support/fakeTimers.ts'
import { type Listening, listen } from './support/http.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
const servers: Listening[] = []
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
afterAll(() => service.close())

async function at(handler: RequestListener): Promise<string> {
  const server = await listen(handler)
  servers.push(server)
  return server.url
}

/** A companion below /api/pw. */
const mount = async (options: Partial<CompanionOptions> = {}): Promise<string> =>
  `${await at(toNodeHandler(companionOf(service.client(), options)))}/api/pw`

async function diagnose(options: Partial<DoctorOptions>): Promise<Checkup[]> {
  return (await runDoctor({ client: service.client(), createTokens: false, ...options })).checks
}

const failedOf = (checks: Checkup[]): Checkup[] => checks.filter(({ result }) => result === 'failed')
const rowOf = (checks: Checkup[], wanted: string): Checkup | undefined =>
  checks.find(({ name }) => name === wanted)

const everybody: Partial<CompanionOptions> = { authorize: () => ({ customId: 'ada' }) }

describe('a companion that believes to be elsewhere', () => {
  const elsewhere = (companion: string): string[] => [
    companion.replace('/api/pw', '/api/purchase-widget'),
    'https://shop.example/api/pw',
  ]

  test.each([
    ['another path', 0],
    ['another origin', 1],
  ])('is told so: %s', async (_, index) => {
    for (const options of [{}, everybody]) {
      let believed = ''
      const handle: RequestListener = (request, response) =>
        toNodeHandler(companionOf(service.client(), { ...options, url: believed }))(request, response)
      const companion = `${await at(handle)}/api/pw`
      believed = elsewhere(companion)[index] ?? ''
      const checks = await diagnose({ companion: `${companion}/` })
      expect(failedOf(checks)).toEqual([
        expect.objectContaining({
          name: 'companion address',
          detail: `The companion believes it is at ${believed}, but it answers at ${companion}.`,
          remedy: expect.stringContaining(`Set url or PURCHASE_COMPANION_URL to ${companion}`),
        }),
      ])
      expect(checks.filter(({ detail }) => detail.includes('--page'))).toEqual([])
    }
  })

  test('because of the variable is reported', async () => {
    const companion = await mount({ allowedOrigins: ['https://shop.example'] })
    vi.stubEnv('PURCHASE_COMPANION_URL', 'https://shop.example/api/pw')
    expect(failedOf(await diagnose({ companion }))).toEqual([
      expect.objectContaining({
        name: 'companion address',
        detail: `The companion believes it is at https://shop.example/api/pw, but it answers at ${companion}.`,
      }),
    ])
  })

  test('or does not know its address in production is reported', async () => {
    const companion = await mount({ allowedOrigins: ['https://shop.example'] })
    vi.stubEnv('NODE_ENV', 'production')
    expect(failedOf(await diagnose({ companion }))[0]).toMatchObject({
      name: 'companion address',
      detail: 'the companion does not know its own address',
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
  test.each(['shop', 'http://shop.example/api', 'https://shop.example/api?x=1'])(
    'of %s fails',
    async (value) => {
      vi.stubEnv('PURCHASE_COMPANION_URL', value)
      for (const companion of [undefined, await mount({ url: 'https://shop.example/api' })]) {
        expect(failedOf(await diagnose({ companion }))[0]).toMatchObject({
          name: 'companion address',
          setting: 'PURCHASE_COMPANION_URL',
          detail: expect.stringMatching(/^PURCHASE_COMPANION_URL.* must be https/),
        })
      }
    },
  )

  test.each(['', ' '])('that is missing (%j) is a note that says what to do', async (value) => {
    vi.stubEnv('PURCHASE_COMPANION_URL', value)
    expect(rowOf(await diagnose({}), 'companion address')).toMatchObject({
      result: 'note',
      detail: expect.stringMatching(/^PURCHASE_COMPANION_URL is not set: set it to/),
    })
    expect(rowOf(await diagnose({ companion: await mount() }), 'companion address')).toBeUndefined()
  })

  test('that is right is fine', async () => {
    vi.stubEnv('PURCHASE_COMPANION_URL', 'https://shop.example/api')
    expect(rowOf(await diagnose({}), 'companion address')).toMatchObject({ result: 'ok' })
  })
})

test.each(['shop', 'http://shop.example/api'])(
  '--companion %s fails, and nobody is asked',
  async (companion) => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input))
      return new Response()
    }
    expect(failedOf(await diagnose({ companion, fetch }))).toEqual([
      expect.objectContaining({ name: 'companion address', setting: '--companion' }),
    ])
    expect(asked.filter((address) => address.includes('shop'))).toEqual([])
  },
)

const spa: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><div id="root"></div>')
const quoting: RequestListener = ({ method, url }, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`Cannot ${method} ${url}`)
const otherApi: RequestListener = (_, response) =>
  response
    .writeHead(404, { 'content-type': 'application/json' })
    .end('{"error":{"code":"not_found","message":"No such thing."}}')

test.each([
  ['an SPA', spa],
  ['a page that quotes the address', quoting],
  ['another API', otherApi],
])('a shop that answers everything with %s has no companion there: one failure', async (_, handler) => {
  const companion = `${await at(handler)}/api/pw`
  const ofCompanion = ['companion address', 'companion', 'own page', 'return page', 'script file']
  const found = (await diagnose({ companion })).filter(({ name }) => ofCompanion.includes(name))
  expect(found).toEqual([
    expect.objectContaining({
      result: 'failed',
      name: 'companion',
      setting: '--companion',
      detail: expect.stringContaining(`no companion answers at ${companion}`),
      remedy: 'mount it there, or give --companion its address',
    }),
  ])
  expect(JSON.stringify(found)).not.toContain('PURCHASE_COMPANION_URL')
})

test('when the service, its page and the companion stall, the end comes after six and a half seconds', async () => {
  const asked = new EventEmitter()
  const silent = await at(({ url = '' }) => void asked.emit(url.slice(0, 8)))
  const [companion, page] = [once(asked, '/api/pw/'), once(asked, '/widget/')]
  const addresses = { widgetUrl: silent, widgetApiUrl: silent, baseUrl: silent }
  fakeTimers()
  const startedAt = performance.now()
  const diagnosed = diagnose({
    client: service.client({ ...addresses, timeoutMs: 5_000 }),
    createTokens: true,
    companion: `${silent}/api/pw`,
  })
  await companion
  await vi.advanceTimersByTimeAsync(5_000)
  await page
  await vi.advanceTimersByTimeAsync(1_500)
  const checks = await diagnosed
  expect(performance.now() - startedAt).toBe(6_500)
  // What the calls have taken is taken off the page's three seconds.
  expect(rowOf(checks, 'widget page')?.detail).toBe('no answer within 1.5 s')
  expect(checks.map(({ result }) => result)).toEqual(Array(6).fill('failed'))
})

// Promise: doctor/late
test('a process that was stopped for longer than the doctor takes reads no page, and names no time', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const diagnosed = diagnose({ createTokens: true })
  vi.advanceTimersByTime(10_000)
  expect(rowOf(await diagnosed, 'widget page')).toMatchObject({
    result: 'failed',
    detail: 'no time was left to read it',
  })
})

describe('a shop that sells to everybody', () => {
  test('and refuses to sell nothing passes', async () => {
    const createPurchase = (): never => {
      throw new PurchaseRefused('Choose a product.')
    }
    const checks = await diagnose({ companion: await mount({ ...everybody, createPurchase }) })
    expect(rowOf(checks, 'own page')).toMatchObject({
      result: 'ok',
      detail: expect.stringContaining('your createPurchase refused'),
    })
  })

  test('and gives a token hears of createPurchase, beside authorize', async () => {
    const checks = await diagnose({ companion: await mount(everybody) })
    expect(rowOf(checks, 'own page')).toMatchObject({
      result: 'note',
      detail: expect.stringMatching(/without a session\. .*createPurchase.*authorize/),
    })
  })

  test.each([{ body: [] }, {}])(
    'behind a body parser that leaves %j is told where to mount it',
    async (left) => {
      const handle = toNodeHandler(companionOf(service.client(), everybody))
      const url = await at(async (request, response) => {
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
