// Promise: companion/origins
/** Which pages may call and read, and which receive a token. */
import { describe, expect, test } from 'vitest'
import type { Companion } from '../../src/index.ts'
import { companionOf, companionOfThisFile, get, mount, shopOrigin } from '../support/companion.ts'

const { client } = await companionOfThisFile()

type Headers = Record<string, string>
const app = 'https://app.example'
const evil = 'https://evil.example'
const bearer = { authorization: 'Bearer ada' }

const open = (): Companion =>
  companionOf(client, {
    allowedOrigins: [shopOrigin, app],
    authorize: ({ headers }) =>
      headers.has('cookie') || headers.has('authorization') ? { customId: 'ada' } : null,
  })

const call = (headers: Headers, method = 'POST'): Request =>
  new Request(`${mount}/token`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })

const withSession = (origin: string, site?: string): Headers => ({
  cookie: 'shopper=ada',
  origin,
  ...(site ? { 'sec-fetch-site': site } : {}),
})

/** The CORS headers, and whether caches keep the answer separate. */
const grants = ({ headers }: Response): unknown[] => [
  headers.get('access-control-allow-origin'),
  /\borigin\b/i.test(headers.get('vary') ?? ''),
]

test.each<[Headers, number]>([
  [withSession(shopOrigin), 200],
  [withSession(shopOrigin, 'same-origin'), 200],
  [withSession(shopOrigin, 'none'), 200],
  // A browser never reports this for a page of the companion's own origin.
  [withSession(shopOrigin, 'same-site'), 403],
  [withSession(shopOrigin, 'cross-site'), 403],
  [withSession(app, 'same-site'), 200],
  [withSession(app, 'cross-site'), 200],
  [{ origin: app }, 401],
  [withSession(evil), 403],
  [{ ...bearer, origin: evil }, 403],
  // An app.
  [bearer, 200],
  // Node's `fetch`.
  [{ ...bearer, 'sec-fetch-mode': 'cors' }, 200],
  [{ 'sec-fetch-mode': 'cors' }, 403],
  [{ ...bearer, cookie: 'a=b' }, 403],
  [{ ...bearer, 'sec-fetch-site': 'same-origin' }, 403],
  [{ ...bearer, 'sec-fetch-dest': 'empty' }, 403],
])(
  'a POST with %j is answered %i, and CORS names its origin only if that is allowed',
  async (headers, status) => {
    const answer = await open().fetch(call(headers))
    const { origin = '' } = headers
    expect([answer.status, ...grants(answer)]).toEqual([
      status,
      [shopOrigin, app].includes(origin) ? origin : null,
      true,
    ])
  },
)

test.each<[Headers, number]>([
  [{}, 200],
  [{ 'sec-fetch-site': 'none' }, 200],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'same-site' }, 200],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site', origin: app }, 200],
  [{ 'sec-fetch-site': 'same-origin', origin: evil }, 403],
])('a read with %j is answered %i', async (headers, status) => {
  expect((await open().fetch(get('/orders', 'ada', headers))).status).toBe(status)
})

test('a page of another site may not ask about a purchase with the shopper’s session', async () => {
  const answer = await open().fetch(get('/purchases/AbCdEfGhIjKlMnOpQrSt_-', 'ada', { origin: evil }))
  expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'forbidden_origin' } }])
})

test('a preflight tells pages what they may send, and a script is cached for no other page', async () => {
  const allowed = await open().fetch(call({ origin: app }, 'OPTIONS'))
  expect([allowed.status, ...grants(allowed)]).toEqual([204, app, true])
  expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
  expect(allowed.headers.get('access-control-allow-credentials')).toBe('true')
  const refused = await open().fetch(call({ origin: evil }, 'OPTIONS'))
  expect([refused.status, grants(refused)[0]]).toEqual([403, null])
  expect(grants(await open().fetch(get('/purchase-widget.js')))).toEqual([null, true])
})

// Promise: launch/minting
describe('a token', () => {
  const origins = [
    shopOrigin,
    'http://shop.example',
    'https://shop.example:8443',
    'https://SHOP.example',
    'https://shop.example.',
    'https://shop.example/',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://sub.shop.example',
    'null',
    null,
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
  const cookies = ['shopper=ada', '', 'shoper=ada']

  test('a token is given to the allowed page alone, by POST and with a session', async () => {
    const companion = companionOf(client, { rateLimit: { perShopper: 1_000 } })
    const minted: unknown[] = []
    for (const origin of origins) {
      for (const method of methods) {
        for (const cookie of cookies) {
          const answer = await companion.fetch(
            call({ cookie, ...(origin === null ? {} : { origin }) }, method),
          )
          if ((await answer.text()).includes('accessToken')) minted.push([origin, method, cookie])
        }
      }
    }
    expect(minted).toEqual([[shopOrigin, 'POST', 'shopper=ada']])
  })
})
