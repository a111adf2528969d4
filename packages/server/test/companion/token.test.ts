// Promise: launch/page-token
/** `POST /token`: what a page gets that builds the widget’s address itself, and which bodies are refused. */
import { describe, expect, test } from 'vitest'
import { PurchaseRefused, type TokenGrant } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, mount, post, shopOrigin } from '../support/companion.ts'

const { service, client, ask } = await companionOfThisFile()

test('gives the token, the widget address and the shopper’s parameters', async () => {
  const response = await ask(post('/token', {}, 'shopper-1:user-1'))
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const answer = (await response.json()) as TokenGrant
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

test('passes on the merchant’s sentence when it refuses to sell, and says that the service is away without saying why', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown): unknown => errors.push(error)
  const createPurchase = (): never => {
    throw new PurchaseRefused('This is sold out.')
  }
  const soldOut = await companionOf(client, { onError, createPurchase }).fetch(post('/token', {}, 'ada'))
  const error = { code: 'purchase_refused', message: 'This is sold out.' }
  expect([soldOut.status, await soldOut.json(), errors]).toEqual([403, { error }, []])

  const unreachable = service.client({ widgetApiUrl: 'http://127.0.0.1:1', maxRetries: 0 })
  const away = await companionOf(unreachable, { onError }).fetch(post('/token', {}, 'ada'))
  expect(away.status).toBe(503)
  expect(await away.json()).toMatchObject({ error: { code: 'service_unavailable' } })
  expect(errors).toMatchObject([{ name: 'NetworkError' }])
})

test.each([
  [{ params: [] }, 'params'],
  [{ params: { product_id: 1 } }, 'product_id'],
  [{ params: { note: 'x'.repeat(1_001) } }, 'note'],
  [{ params: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`p${at}`, 'x'])) }, '40'],
  [{ surface: 'window' }, 'surface'],
  [{ redirectPage: 'parent' }, 'redirect_page'],
])('says what is wrong with %j', async (body, named) => {
  const response = await ask(post('/token', body, 'shopper-1'))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(named)
})

describe('a body', () => {
  const streamOf = (text: string): ReadableStream => {
    const bytes = new TextEncoder().encode(text)
    return new ReadableStream({
      start(controller) {
        for (const part of [bytes.slice(0, 20), bytes.slice(20)]) controller.enqueue(part)
        controller.close()
      },
    })
  }
  const asPage = { origin: shopOrigin, 'content-type': 'application/json', cookie: 'shopper=ada' }
  const streamed = (body: ReadableStream, stated: Record<string, string> = {}): Promise<Response> => {
    const init = { method: 'POST', body, headers: { ...asPage, ...stated }, duplex: 'half' }
    return ask(new Request(`${mount}/token`, init as RequestInit))
  }

  test.each([
    ['application/json', 200],
    ['APPLICATION/JSON', 200],
    ['application/json ;x', 200],
    ['application/jsonp', 415],
    ['x/application/json', 415],
    ['', 415],
  ])('of type %j is answered %i', async (type, status) => {
    expect((await ask(post('/token', '{}', 'ada', { 'content-type': type }))).status).toBe(status)
  })

  test.each(['', 'x', '[]', 'null', '7', '"{}"'])('that is %j is not an object', async (body) => {
    expect((await ask(post('/token', body, 'ada'))).status).toBe(400)
  })

  test('is read whole, across its pieces', async () => {
    const grant = await bodyOf(streamed(streamOf('{"params":{"note":"äää"}}')))
    expect(grant).toMatchObject({ params: { note: 'äää' } })
  })

  test.each([
    [16_384, 200],
    [16_385, 413],
  ])('of %i bytes is answered %i, stated or streamed', async (length, status) => {
    const text = `{"a":"${'x'.repeat(length - 8)}"}`
    const stated = post('/token', text, 'ada', { 'content-length': String(length) })
    expect((await ask(stated)).status).toBe(status)
    expect((await streamed(streamOf(text))).status).toBe(status)
  })

  test('that states too great a length is refused before it is read, and one that breaks off with its connection', async () => {
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) })
    expect((await streamed(endless, { 'content-length': '16385' })).status).toBe(413)
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) })
    const answer = await streamed(broken)
    expect([answer.status, answer.headers.get('connection')]).toEqual([408, 'close'])
    expect(await answer.text()).toContain('The body did not arrive within 5 s.')
  })
})
