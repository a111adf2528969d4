// Promise: companion/options
/** What a companion may be made with, and what it needs to start. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCompanion, type TokenGrant } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, get, mount, post } from '../support/companion.ts'

const { client, ask } = await companionOfThisFile()

test.each([
  [{ authorize: undefined }, /authorize/],
  [{ onorder: () => {} }, /onorder/],
  [{ url: 'http://shop.example/api' }, /url/],
  [{ url: 'https://shop.example/api?a=1' }, /url/],
  [{ url: `https://shop.example/${'a'.repeat(80)}` }, /80/],
  [{ allowedOrigins: ['*'] }, /\*/],
  [{ allowedOrigins: ['https://shop.example/'] }, /https:\/\/shop\.example\//],
  [{ allowedOrigins: 'https://shop.example' }, /allowedOrigins must be a list/],
  [{ carry: 'hash' }, /carry/],
  ...['30s', '30000', 30, 999, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, null].map(
    (onOrderTimeout): [object, RegExp] => [{ onOrderTimeout }, /onOrderTimeout must be .*milliseconds/],
  ),
  [{ store: {} }, /store must be/],
  [{ client: { PURCHASE_API_KEY: 'x' } }, /client must be .*clientFromEnv\(process\.env\)/],
  [{ tokens: 'token' }, /tokens must be a lease: createTokenLease/],
  [{ rateLimit: 60 }, /rateLimit must be an object/],
  [{ rateLimit: { perShoper: 5 } }, /rateLimit has no perShoper/],
  [{ rateLimit: { perShopper: '5' } }, /rateLimit\.perShopper must be a number/],
  [{ rateLimit: { perAddress: 0 } }, /rateLimit\.perAddress must be a number/],
  [{ pageToken: 'false' }, /pageToken must be true or false/],
  ...['authorize', 'createPurchase', 'onOrder', 'onUser', 'onError', 'now'].map((name): [object, RegExp] => [
    { [name]: 'x' },
    new RegExp(`${name} must be a function`),
  ]),
])('refuses to start with %o', (options, message) => {
  expect(() => createCompanion({ authorize: () => null, ...options } as never)).toThrow(message)
})

test.each([undefined, null, 'options'])('needs options, not %s', (options) => {
  expect(() => createCompanion(options as never)).toThrow(/createCompanion needs options/)
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

test('stands at a plain-http address of a host that the environment names, but not in production', () => {
  const standAt = (url: string) => () => createCompanion({ authorize: () => null, url })
  vi.stubEnv('PURCHASE_PLAIN_HTTP_HOSTS', 'shop.test, sandbox')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).not.toThrow()
  expect(standAt('http://other.test:3000/api/purchase-widget')).toThrow('url')
  vi.stubEnv('NODE_ENV', 'production')
  expect(standAt('http://shop.test:3000/api/purchase-widget')).toThrow('url')
  vi.unstubAllEnvs()
})

test('reads neither environment nor store until the first request, and says then what is missing', async () => {
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

describe('in production', () => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'))
  afterEach(() => void vi.unstubAllEnvs())

  test('begins nothing without a public address, and says which setting it is', async () => {
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
