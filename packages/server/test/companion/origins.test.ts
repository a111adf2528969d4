// Promise: companion/origins
/** Which pages may call, and to which a token is given. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Companion, PurchaseClient } from '../../src/index.ts'
import { companionOf, get, mount, post, shopOrigin } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

describe('pages of other origins', () => {
  const app = 'https://app.example'
  const call = (origin: string): Request =>
    post('/token', {}, 'shopper-1', { origin, 'sec-fetch-site': 'cross-site' })
  const grants = ({ headers }: Response): unknown[] => [
    headers.get('access-control-allow-origin'),
    /\borigin\b/i.test(headers.get('vary') ?? ''),
  ]

  beforeEach(() => {
    companion = companionOf(client, { allowedOrigins: [shopOrigin, app] })
  })

  test('are answered exactly when they are allowed, refusals included', async () => {
    const answered = await companion.fetch(call(app))
    expect([answered.status, ...grants(answered)]).toEqual([200, app, true])
    expect(answered.headers.get('access-control-allow-credentials')).toBe('true')
    const nobody = await companion.fetch(post('/token', {}, undefined, { origin: app }))
    expect([nobody.status, ...grants(nobody)]).toEqual([401, app, true])
    // A cache must not give it to a page of another origin.
    const script = await companion.fetch(get('/purchase-widget.js'))
    expect(grants(script)).toEqual([null, true])
    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'null',
    ]) {
      const refused = await companion.fetch(call(origin))
      expect([refused.status, ...grants(refused)]).toEqual([403, null, true])
    }
  })

  test('may read what is the shopper’s when they are allowed', async () => {
    const read = (origin: string): Request =>
      get('/orders', 'shopper-1', { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
    expect((await companion.fetch(read(app))).status).toBe(200)
    expect((await companion.fetch(read('https://evil.example'))).status).toBe(403)
  })

  test('are told before they call what they may send', async () => {
    const ask = (origin: string): Promise<Response> =>
      companion.fetch(new Request(`${mount}/token`, { method: 'OPTIONS', headers: { origin } }))
    const allowed = await ask(app)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(grants(allowed)).toEqual([app, true])
    const refused = await ask('https://evil.example')
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
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
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://sub.shop.example',
    'null',
    null,
  ]
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
  const sessions = { 'signed in': 'shopper=shopper-1', 'signed out': '', forged: 'shoper=shopper-1' }

  test('is given to the allowed page alone, with POST and a session', async () => {
    const companion = companionOf(service.client(), { rateLimit: { perShopper: 1_000 } })
    const minted: string[] = []
    let tried = 0
    for (const origin of origins) {
      for (const method of methods) {
        for (const [session, cookie] of Object.entries(sessions)) {
          const response = await companion.fetch(
            new Request(`${mount}/token`, {
              method,
              headers: {
                'content-type': 'application/json',
                ...(cookie ? { cookie } : {}),
                ...(origin === null ? {} : { origin }),
              },
              ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
            }),
          )
          tried++
          expect(response.headers.get('access-control-allow-origin')).toBe(
            origin === shopOrigin ? origin : null,
          )
          if ((await response.text()).includes('accessToken')) minted.push(`${origin} ${method} ${session}`)
        }
      }
    }
    expect(tried).toBe(216)
    expect(minted).toEqual([`${shopOrigin} POST signed in`])
  })
})
