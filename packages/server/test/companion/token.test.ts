// Promise: launch/page-token
/** `POST /token`: what a page gets that builds the widget’s address itself, and what is refused. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Companion,
  memoryStore,
  type PurchaseClient,
  PurchaseRefused,
  type TokenGrant,
} from '../../src/index.ts'
import { bodyOf, companionOf, get, mount, post } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

describe('POST /token', () => {
  test('gives the token, the widget address and the shopper’s parameters', async () => {
    const response = await companion.fetch(post('/token', {}, 'shopper-1:user-1'))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const answer = (await response.json()) as { accessToken: string; expiresAt: string }
    expect(answer).toEqual({
      accessToken: expect.stringMatching(/\S/),
      purchaseId: expect.stringMatching(/^[\w-]{22}$/),
      widgetUrl: service.urls.widgetUrl,
      expiresAt: expect.stringMatching(/Z$/),
      params: expect.objectContaining({ custom_id: 'shopper-1', user_id: 'user-1' }),
    })
    const page = await fetch(`${service.urls.widgetUrl}/widget/?accessToken=${answer.accessToken}`)
    expect(page.status).toBe(200)
  })

  test('passes on the merchant’s sentence when it refuses to sell', async () => {
    const errors: unknown[] = []
    const soldOut = companionOf(client, {
      onError: (error) => errors.push(error),
      createPurchase: () => {
        throw new PurchaseRefused('This is sold out.')
      },
    })
    const response = await soldOut.fetch(post('/token', {}, 'shopper-1'))
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      error: { code: 'purchase_refused', message: 'This is sold out.' },
    })
    expect(errors).toEqual([])
  })

  test('still gives tokens while the store is away', async () => {
    const errors: unknown[] = []
    const store = memoryStore()
    const begin = (): Promise<never> => Promise.reject(new Error('the store is away'))
    const away = companionOf(client, {
      store: { ...store, purchases: { ...store.purchases, begin, find: begin } },
      onError: (error) => errors.push(error),
    })
    const grant = (await bodyOf(away.fetch(post('/token', {}, 'shopper-1')))) as TokenGrant
    expect(grant.accessToken).toMatch(/\S/)
    expect(errors).toMatchObject([{ message: 'the store is away' }])
    const known = away.fetch(get(`/purchases/${grant.purchaseId}`, 'shopper-1'))
    expect(await bodyOf(known)).toMatchObject({ status: 'none' })
  })

  test.each([
    [{ params: [] }, 'params'],
    [{ params: { product_id: 1 } }, 'product_id'],
    [{ params: { note: 'x'.repeat(1_001) } }, 'note'],
    [{ params: { note: 'Ada \ud83d' } }, 'note'],
    [{ params: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`p${at}`, 'x'])) }, '40'],
    [{ surface: 'window' }, 'surface'],
    [{ redirectPage: 'parent' }, 'redirect_page'],
  ])('says what is wrong with %j', async (body, named) => {
    const response = await companion.fetch(post('/token', body, 'shopper-1'))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(named)
  })

  test('lets an app in by its Authorization header, and no browser without an origin', async () => {
    const bearer = { authorization: 'Bearer ada', 'content-type': 'application/json' }
    const app = companionOf(client, {
      authorize: ({ headers }) => (headers.has('authorization') ? { customId: 'ada' } : null),
    })
    const call = async (headers: Record<string, string>): Promise<number> => {
      const request = new Request(`${mount}/token`, { method: 'POST', body: '{}', headers })
      return (await app.fetch(request)).status
    }
    expect(await call(bearer)).toBe(200)
    // The fetch of Node.
    const mode = { 'sec-fetch-mode': 'cors' }
    expect(await call({ ...bearer, ...mode })).toBe(200)
    expect(await call({ 'content-type': 'application/json' })).toBe(403)
    expect(await call({ 'content-type': 'application/json', ...mode })).toBe(403)
    expect(await call({ ...bearer, cookie: 'a=b' })).toBe(403)
  })

  test('says that the service is away without saying why', async () => {
    const errors: unknown[] = []
    const away = companionOf(service.client({ widgetApiUrl: 'http://127.0.0.1:1', maxRetries: 0 }), {
      onError: (error) => errors.push(error),
    })
    const response = await away.fetch(post('/token', {}, 'shopper-1'))
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } })
    expect(errors).toMatchObject([{ name: 'NetworkError' }])
  })
})
