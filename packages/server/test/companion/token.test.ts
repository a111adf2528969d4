// Promise: launch/page-token
/** Ways to the widget: `POST /token` for a page that builds its address itself, `GET /launch` as a link and with a ticket; and refused bodies. */
import { describe, expect, test } from 'vitest'
import {
  type Companion,
  type LaunchGrant,
  memoryStore,
  PurchaseRefused,
  type TokenGrant,
} from '../../src/index.ts'
import {
  bodyOf,
  companionOf,
  companionOfThisFile,
  get,
  mount,
  navigation,
  post,
  shopOrigin,
} from '../support/companion.ts'

const { service, client, ask } = await companionOfThisFile()

test('returns the token, the widget address and the shopper’s parameters', async () => {
  const response = await ask(post('/token', {}, 'shopper-1:user-1'))
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(response.headers.has('set-cookie')).toBe(false)
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

test('returns the merchant’s sentence when it refuses to sell, and reports an unavailable service without a reason', async () => {
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

test('a page may choose an amount that the merchant leaves open', async () => {
  const companion = companionOf(client, {
    createPurchase: () => ({ params: { product_id: 'gift', quote: 'USD' }, open: ['quote_amount'] }),
  })
  const grant = await bodyOf(companion.fetch(post('/token', { params: { quote_amount: '25' } }, 'ada')))
  expect(grant).toMatchObject({ params: { product_id: 'gift', quote_amount: '25' } })
})

test.each([
  [{ params: [] }, 'params'],
  [{ params: { product_id: 1 } }, 'product_id'],
  [{ params: { note: 'x'.repeat(1_001) } }, 'note'],
  [{ params: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`p${at}`, 'x'])) }, '40'],
  [{ params: { 'a b': 'x' } }, 'name'],
  [{ surface: 'window' }, 'surface'],
  [{ redirectPage: 'parent' }, 'redirect_page'],
])('the refusal names what is wrong with %j', async (body, named) => {
  const response = await ask(post('/token', body, 'shopper-1'))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(named)
})

test('a page may send forty fields of a thousand characters each', async () => {
  const fields = Object.fromEntries(Array.from({ length: 39 }, (_, at) => [`p${at}`, 'x']))
  const params = { ...fields, note: 'x'.repeat(1_000) }
  expect((await ask(post('/token', { params }, 'shopper-1'))).status).toBe(200)
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
  ])('a body of type %j is answered %i', async (type, status) => {
    expect((await ask(post('/token', '{}', 'ada', { 'content-type': type }))).status).toBe(status)
  })

  test.each(['', 'x', '[]', 'null', '7', '"{}"'])('a body that is %j is not an object', async (body) => {
    expect((await ask(post('/token', body, 'ada'))).status).toBe(400)
  })

  test('a body is read whole, across its chunks', async () => {
    const grant = await bodyOf(streamed(streamOf('{"params":{"note":"äää"}}')))
    expect(grant).toMatchObject({ params: { note: 'äää' } })
  })

  test.each([
    [16_384, 200],
    [16_385, 413],
  ])('a body of %i bytes is answered %i, stated or streamed', async (length, status) => {
    const text = `{"a":"${'x'.repeat(length - 8)}"}`
    const stated = post('/token', text, 'ada', { 'content-length': String(length) })
    expect((await ask(stated)).status).toBe(status)
    expect((await streamed(streamOf(text))).status).toBe(status)
  })

  test('a body with too great a stated length is refused unread, and an aborted one closes its connection', async () => {
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) })
    expect((await streamed(endless, { 'content-length': '16385' })).status).toBe(413)
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) })
    const answer = await streamed(broken)
    expect([answer.status, answer.headers.get('connection')]).toEqual([408, 'close'])
    expect(await answer.text()).toContain('The body did not arrive within 5 s.')
  })
})

/** The target of a navigation. */
async function locationOf(answer: Promise<Response>): Promise<URL> {
  const { status, headers } = await answer
  expect(status).toBe(303)
  return new URL(headers.get('location') ?? '')
}

// Promise: link/sign-in
describe('as a link', () => {
  const fromLink = { product_id: 'gold-100', locale: 'de', redirect_page: 'new' }

  test('a link sends the shopper to the widget, with the choices that it may make', async () => {
    const url = await locationOf(ask(get(`/launch?${new URLSearchParams(fromLink)}`, 'shopper-1')))
    expect(url.origin + url.pathname).toBe(`${service.urls.widgetUrl}/widget/`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...fromLink,
      accessToken: expect.stringMatching(/\S/),
      custom_id: 'shopper-1',
    })
  })

  test('a link with a wrong redirect_page is answered with the valid values', async () => {
    const response = await ask(get('/launch?redirect_page=parent', 'shopper-1'))
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('redirect_page')])
  })

  test('a link leads to the merchant’s sign-in, with its cookies', async () => {
    const headers = new Headers({ location: 'https://shop.example/sign-in' })
    headers.append('set-cookie', 'back=1')
    headers.append('set-cookie', 'from=launch')
    const guarded = companionOf(client, { authorize: () => new Response(null, { status: 302, headers }) })
    const response = await guarded.fetch(get('/launch', undefined, navigation('none')))
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://shop.example/sign-in'])
    expect(response.headers.getSetCookie()).toEqual(['back=1', 'from=launch'])
    const called = await guarded.fetch(post('/token', {}))
    expect([called.status, called.headers.get('location')]).toEqual([401, null])
  })

  test('a link to an expired purchase says so in the language of the link, else of the browser, and shows the way back', async () => {
    const page = (path: string): Promise<string> => {
      const headers = { ...navigation('none'), accept: 'text/html,*/*', 'accept-language': 'pl' }
      return ask(get(path, undefined, headers)).then((answer) => answer.text())
    }
    const ended = await page('/launch?ticket=a.b')
    expect(ended).toContain('<h1>Ten link już nie działa.')
    expect(ended).toContain(`<a href="${shopOrigin}"`)
    expect(ended).toContain(`<title>${new URL(shopOrigin).host}</title>`)
    const signIn = await page('/launch?locale=nl')
    expect(signIn).toContain('<html lang="nl" dir="ltr">')
    expect(signIn).toContain('<h1>Log eerst in.</h1>')
  })
})

// Promise: launch/ticket
describe('with a ticket', () => {
  /** Without a page. */
  const typed = (address: string): Request => new Request(address, { headers: navigation('none') })

  const grantOf = async (companion: Companion, body: object = {}): Promise<LaunchGrant> =>
    (await bodyOf(companion.fetch(post('/launch', body, 'shopper-1')))) as LaunchGrant

  test('a ticket continues its purchase, without a session', async () => {
    const body = { params: { product_id: 'gold-100' }, surface: 'modal' }
    const companion = companionOf(client)
    const { purchaseId, launchUrl, widgetOrigin, params, ...rest } = await grantOf(companion, body)
    expect(rest).toEqual({})
    expect(widgetOrigin).toBe(new URL(service.urls.widgetUrl).origin)
    const framed = new Request(launchUrl, { headers: navigation('same-origin', 'iframe') })
    const { searchParams } = await locationOf(companion.fetch(framed))
    const { accessToken, ...sent } = Object.fromEntries(searchParams)
    expect(accessToken).toMatch(/\S/)
    expect(sent).toEqual(params)
    expect(sent).toMatchObject({
      custom_id: 'shopper-1',
      redirect_url: `${shopOrigin}/api/purchase-widget/return/${purchaseId}`,
    })
  })

  test('a page receives only a ticket if the companion has no pageToken', async () => {
    const store = memoryStore()
    const strict = companionOf(client, { pageToken: false, store })
    const refused = await strict.fetch(post('/token', {}, 'shopper-1'))
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('page_token_disabled')
    const everything = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 }
    expect([await service.count('createAccessToken'), await store.purchases.unsettled(everything)]).toEqual([
      0,
      [],
    ])
    expect((await strict.fetch(typed((await grantOf(strict)).launchUrl))).status).toBe(303)
  })

  test('a ticket is invalid once changed, a minute later, or at another shop', async () => {
    let time = Date.now()
    const now = (): number => time
    const clocked = companionOf(client, { now })
    const { launchUrl } = await grantOf(clocked)
    const statusOf = async (address: string, of = clocked): Promise<number> =>
      (await of.fetch(typed(address))).status
    const ticketAt = launchUrl.indexOf('=') + 1
    const changed = launchUrl.slice(0, ticketAt) + launchUrl.slice(ticketAt).replace(/[A-Z]/, 'a')
    for (const address of [changed, launchUrl.slice(0, ticketAt), `${launchUrl}x`])
      expect(await statusOf(address)).toBe(403)
    // With the same keys, such as a test shop.
    const elsewhere = companionOf(client, { url: 'https://test.shop.example/api', now })
    expect(await statusOf(launchUrl, elsewhere)).toBe(403)
    time += 59_000
    expect(await statusOf(launchUrl)).toBe(303)
    time += 1_000
    expect(await statusOf(launchUrl)).toBe(403)
  })
})
