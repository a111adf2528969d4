// Promise: companion/options
/** The options of a companion, and what it needs to start. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { warnTo } from '../../src/companion/report.ts'
import { type CompanionOptions, createCompanion, memoryStore, type TokenGrant } from '../../src/index.ts'
import { type Cause, sentenceOf } from '../../src/mistakes.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { bodyOf, companionOf, companionOfThisFile, get, mount, post } from '../support/companion.ts'

const { client, ask } = await companionOfThisFile()

test.each([
  [{ authorize: undefined }, /authorize/],
  [{ onorder: () => {} }, /onorder/],
  [{ url: 'http://shop.example/api' }, /url/],
  [{ url: 'https://shop.example/api?a=1' }, /url/],
  [{ url: `https://shop.example/${'a'.repeat(80)}` }, /80/],
  ...[['*'], ['https://shop.example/'], 'https://shop.example', [''], [undefined]].map(
    // The empty one is as of `[process.env.SHOP_ORIGIN ?? '']`.
    (allowedOrigins): [object, RegExp] => [{ allowedOrigins }, /allowedOrigins must be a list of origins/],
  ),
  [{ carry: 'hash' }, /carry/],
  ...['30s', '30000', 30, 999, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, null].map(
    (onOrderTimeout): [object, RegExp] => [{ onOrderTimeout }, /onOrderTimeout must be .*milliseconds/],
  ),
  [{ store: {} }, /store must be/],
  [{ client: { PURCHASE_API_KEY: 'x' } }, /client must be .*clientFromEnv\(process\.env\)/],
  [{ tokens: 'token' }, /tokens must be a lease: createTokenLease/],
  [{ rateLimit: 60 }, /the options of rateLimit must be an object/],
  [{ rateLimit: { perShoper: 5 } }, /rateLimit has no option perShoper, only perShopper, perAddress/],
  [{ rateLimit: { perShopper: '5' } }, /perShopper must be a number of calls per minute, at least 1/],
  [{ rateLimit: { perAddress: 0 } }, /perAddress must be a number of calls per minute, at least 1/],
  [{ pageToken: 'false' }, /pageToken must be true or false/],
  ...['authorize', 'createPurchase', 'onOrder', 'onUser', 'onError', 'now'].map((name): [object, RegExp] => [
    { [name]: 'x' },
    new RegExp(`${name} must be a function`),
  ]),
])('refuses to start with %o', (options, message) => {
  expect(() => createCompanion({ authorize: () => null, ...options } as never)).toThrow(message)
})

test.each([undefined, null, 'options'])('createCompanion needs options, not %s', (options) => {
  expect(() => createCompanion(options as never)).toThrow(
    'the options of createCompanion must be an object, at least { authorize }.',
  )
})

test.each([undefined, '', 5])('a SQLite store needs a file, not %o', (file) => {
  expect(() => sqliteStore(file as never)).toThrow('sqliteStore needs the name of a file')
})

test.each([undefined, 'postgres://localhost', {}])('a Postgres store needs a pool, not %o', (pool) => {
  expect(() => postgresStore(pool as never)).toThrow('postgresStore needs a pool')
})

test('accepts each option at its limits, or undefined', () => {
  const none = { store: undefined, rateLimit: undefined, onOrderTimeout: undefined, carry: undefined }
  expect(() => createCompanion({ authorize: () => null, ...none } as never)).not.toThrow()
  for (const onOrderTimeout of [1_000, 86_400_000]) {
    expect(() => createCompanion({ authorize: () => null, onOrderTimeout })).not.toThrow()
  }
  const rateLimit = { perShopper: 1, perAddress: 1e9 }
  expect(() => createCompanion({ authorize: () => null, rateLimit, client })).not.toThrow()
})

test('accepts a plain-http address on a host that the environment names, but not in production', () => {
  const standAt = (url: string) => () => createCompanion({ authorize: () => null, url })
  vi.stubEnv('PURCHASE_PLAIN_HTTP_HOSTS', 'shop.test, sandbox')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).not.toThrow()
  expect(standAt('http://other.test:3000/api/purchase-widget')).toThrow('url')
  vi.stubEnv('NODE_ENV', 'production')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).toThrow('url')
  vi.unstubAllEnvs()
})

test('reads neither environment nor store until the first request, and then reports what is missing', async () => {
  const errors: Error[] = []
  const bare = createCompanion({
    authorize: () => ({ customId: 'a' }),
    onError: (error) => errors.push(error as Error),
  })
  expect(errors).toEqual([])
  expect((await bare.fetch(get('/orders', 'a'))).status).toBe(503)
  expect(errors).toMatchObject([{ message: expect.stringContaining('PURCHASE_WIDGET_URL') }])
  await bare.close()
})

/** The status of a first request to a companion with everything except these settings, and the failures of `onError`. */
async function firstAnswer(options: Partial<CompanionOptions> = {}): Promise<[number, unknown[]]> {
  const errors: unknown[] = []
  const companion = createCompanion({
    client,
    url: mount,
    authorize: () => ({ customId: 'ada' }),
    createPurchase: () => ({ params: {} }),
    onOrder: () => {},
    onError: (error) => errors.push(error),
    ...options,
  })
  const { status } = await companion.fetch(get('/orders', 'ada'))
  await companion.close()
  return [status, errors]
}

// Promise: companion/store-required
test('without a store, production refuses requests and names the remedy; elsewhere one warning serves all companions', async () => {
  const warn = vi.fn<(cause: Cause) => void>()
  warnTo(warn)
  expect([await firstAnswer(), await firstAnswer()]).toEqual([
    [200, []],
    [200, []],
  ])
  expect(warn.mock.calls.map(([cause]) => sentenceOf(cause))).toEqual([expect.stringMatching(/has no store/)])
  vi.stubEnv('NODE_ENV', 'production')
  const message = expect.stringMatching(/sqliteStore.*postgresStore.*memoryStore/s)
  expect(await firstAnswer()).toEqual([503, [expect.objectContaining({ message })]])
  expect(await firstAnswer({ store: memoryStore() })).toEqual([200, []])
  vi.unstubAllEnvs()
})

test('a runtime without process is not taken for production', async () => {
  const { process } = globalThis
  vi.stubGlobal('process', undefined)
  const answer = firstAnswer()
  vi.stubGlobal('process', process)
  expect(await answer).toEqual([200, []])
  vi.unstubAllGlobals()
})

describe('in production', () => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'))
  afterEach(() => void vi.unstubAllEnvs())

  test('creates no purchase without a public address, and names the setting', async () => {
    const errors: Error[] = []
    const homeless = companionOf(client, { onError: (error) => errors.push(error as Error) })
    expect((await homeless.fetch(post('/token', {}, 'a'))).status).toBe(503)
    expect(errors).toMatchObject([{ message: expect.stringContaining('PURCHASE_COMPANION_URL') }])
  })

  test('takes the public address from the environment', async () => {
    vi.stubEnv('PURCHASE_COMPANION_URL', `${mount}/`)
    const { params } = (await bodyOf(ask(post('/token', {}, 'a')))) as TokenGrant
    expect(params.redirect_url).toMatch(new RegExp(`^${mount}/return/`))
  })
})
