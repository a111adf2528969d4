/** `GET /launch`: as a link that anybody may have written, and with a ticket that the companion gave. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Companion,
  type LaunchGrant,
  memoryStore,
  type PurchaseClient,
  PurchaseRefused,
  type Store,
} from '../../src/index.ts'
import { companionOf, get, post, shopOrigin } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion
let store: Store
/** Tokens that this test has taken: the companion of the one before may still be reading. */
let minted: number

beforeEach(() => {
  minted = 0
  client = service.client({
    fetch(input, init) {
      if (String(input).endsWith('/access_token')) minted++
      return fetch(input, init)
    },
  })
  store = memoryStore()
  companion = companionOf(client, { store })
})

const rows = async (): Promise<number> =>
  (await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000 })).length

async function locationOf(request: Request, of = companion): Promise<URL> {
  const response = await of.fetch(request)
  expect(response.status).toBe(303)
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return new URL(response.headers.get('location') ?? '')
}

const navigation = (site: string, dest: string): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': dest,
})

/** By nobody's page. */
const typed = (address: string): Request => new Request(address, { headers: navigation('none', 'document') })

// Promise: link/sign-in
describe('as a link', () => {
  const fromLink = { product_id: 'gold-100', locale: 'de', redirect_page: 'new' }

  test('sends the shopper to the widget, with what a link may choose', async () => {
    const url = await locationOf(get(`/launch?${new URLSearchParams(fromLink)}`, 'shopper-1'))
    expect(url.origin + url.pathname).toBe(`${service.urls.widgetUrl}/widget/`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...fromLink,
      accessToken: expect.stringMatching(/\S/),
      custom_id: 'shopper-1',
    })
  })

  test('sells at the price that the merchant decides', async () => {
    const priced = companionOf(client, {
      createPurchase: ({ params }) => ({
        params: { product_id: params.product_id, quote: 'USD', quote_amount: '9.99' },
      }),
    })
    const url = await locationOf(get('/launch?product_id=gold-100&quote_amount=0.01', 'shopper-1'), priced)
    expect(url.searchParams.getAll('quote_amount')).toEqual(['9.99'])
  })

  test('says what redirect_page may be', async () => {
    const response = await companion.fetch(get('/launch?redirect_page=parent', 'shopper-1'))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('redirect_page')
  })

  test('leads to the merchant’s sign-in, with its cookies', async () => {
    const headers = new Headers({ location: 'https://shop.example/sign-in' })
    headers.append('set-cookie', 'back=1')
    headers.append('set-cookie', 'from=launch')
    const guarded = companionOf(client, { authorize: () => new Response(null, { status: 302, headers }) })
    const response = await guarded.fetch(get('/launch', undefined, navigation('none', 'document')))
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://shop.example/sign-in'])
    expect(response.headers.getSetCookie()).toEqual(['back=1', 'from=launch'])
    const called = await guarded.fetch(post('/token', {}))
    expect([called.status, called.headers.get('location')]).toEqual([401, null])
  })

  test('tells a person in their window what is wrong, and shows the way back', async () => {
    const refusing = companionOf(client, {
      createPurchase: () => {
        throw new PurchaseRefused('Sold <out>.')
      },
    })
    const headers = { ...navigation('cross-site', 'document'), accept: 'text/html,*/*' }
    const response = await refusing.fetch(get('/launch?product_id=gold-100', 'shopper-1', headers))
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${shopOrigin}`)
    const page = await response.text()
    expect(page).toContain('<h1>Sold &lt;out&gt;.</h1>')
    expect(page).toContain(`<a href="${shopOrigin}"`)
    expect(page).toContain(`<title>${new URL(shopOrigin).host}</title>`)
  })

  test('says that a purchase is over in the language of the link, or else of the browser', async () => {
    const page = async (path: string): Promise<string> => {
      const headers = { ...navigation('none', 'document'), accept: 'text/html', 'accept-language': 'pl' }
      return (await companion.fetch(get(path, undefined, headers))).text()
    }
    expect(await page('/launch?ticket=a.b')).toContain('<h1>Ten link już nie działa.')
    expect(await page('/launch?locale=nl')).toContain('<html lang="nl" dir="ltr">')
    expect(await page('/launch?locale=nl')).toContain('<h1>Log eerst in.</h1>')
  })
})

async function grantOf(of = companion, body: object = {}): Promise<LaunchGrant> {
  const response = await of.fetch(post('/launch', body, 'shopper-1'))
  expect(response.status).toBe(200)
  return (await response.json()) as LaunchGrant
}

// Promise: launch/ticket
describe('with a ticket', () => {
  test('goes on with that purchase, without a session', async () => {
    const body = { params: { product_id: 'gold-100' }, surface: 'modal' }
    const { purchaseId, launchUrl, widgetOrigin, params, ...rest } = await grantOf(companion, body)
    expect(rest).toEqual({})
    expect(widgetOrigin).toBe(new URL(service.urls.widgetUrl).origin)
    const framed = new Request(launchUrl, { headers: navigation('same-origin', 'iframe') })
    const { accessToken, ...sent } = Object.fromEntries((await locationOf(framed)).searchParams)
    expect(accessToken).toMatch(/\S/)
    expect(sent).toEqual(params)
    expect(sent).toMatchObject({
      custom_id: 'shopper-1',
      redirect_url: `${shopOrigin}/api/purchase-widget/return/${purchaseId}`,
    })
  })

  test('is all that a page gets where the companion has not pageToken', async () => {
    const strict = companionOf(client, { pageToken: false })
    const refused = await strict.fetch(post('/token', {}, 'shopper-1'))
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('page_token_disabled'),
    ])
    expect([minted, await rows()]).toEqual([0, 0])
    expect((await strict.fetch(typed((await grantOf(strict)).launchUrl))).status).toBe(303)
    const grant = await (await companion.fetch(post('/token', {}, 'shopper-1'))).json()
    expect(grant).toMatchObject({ accessToken: expect.any(String), widgetUrl: service.urls.widgetUrl })
  })

  test('is worth nothing once changed, a minute later, or at another shop', async () => {
    let time = Date.now()
    const clocked = companionOf(client, { now: () => time })
    const { launchUrl } = await grantOf(clocked)
    const statusOf = async (address: string, of = clocked): Promise<number> =>
      (await of.fetch(typed(address))).status
    const ticketAt = launchUrl.indexOf('=') + 1
    const changed = launchUrl.slice(0, ticketAt) + launchUrl.slice(ticketAt).replace(/[A-Z]/, 'a')
    for (const address of [changed, launchUrl.slice(0, ticketAt), `${launchUrl}x`])
      expect(await statusOf(address)).toBe(403)
    const otherShop = companionOf(service.client({ secretKey: 'another-secret' }))
    expect(await statusOf(launchUrl, otherShop)).toBe(403)
    // Of the same keys, such as the one for tests.
    const elsewhere = companionOf(client, { url: 'https://test.shop.example/api', now: () => time })
    expect(await statusOf(launchUrl, elsewhere)).toBe(403)
    time += 59_000
    expect(await statusOf(launchUrl)).toBe(303)
    time += 1_000
    expect(await statusOf(launchUrl)).toBe(403)
    expect(minted).toBe(1)
  })
})
