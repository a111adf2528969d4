// Promise: link/fail-address
/** Where a declined shopper goes if the merchant has given only `returnUrl`: back, and never to the thank-you page. */
import { describe, expect, test } from 'vitest'
import type { Companion, CompanionOptions, TokenGrant } from '../../src/index.ts'
import {
  bodyOf,
  companionOf,
  companionOfThisFile,
  get,
  mount,
  post,
  shopOrigin,
} from '../support/companion.ts'
import { declinedCard } from '../support/service.ts'

const { service, client } = await companionOfThisFile()

const basket = `${shopOrigin}/basket?item=gold%20100`
const thanks = `${shopOrigin}/thanks`
const sale = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }

const shop = (options: Partial<CompanionOptions> = {}): Companion =>
  companionOf(client, { createPurchase: () => ({ params: sale, returnUrl: '/thanks' }), ...options })

interface Created {
  companion: Companion
  id: string
  params: Record<string, string>
}

async function byPage(body: object, headers: Record<string, string>, companion = shop()): Promise<Created> {
  const asked = companion.fetch(post('/token', body, 'ada', headers))
  const { purchaseId, params } = (await bodyOf(asked)) as TokenGrant
  return { companion, id: purchaseId, params }
}

async function byLink(headers: Record<string, string>, companion = shop()): Promise<Created> {
  const response = await companion.fetch(get('/launch?product_id=gold-100', 'ada', headers))
  const widget = new URL(response.headers.get('location') ?? '')
  const { accessToken: _, ...params } = Object.fromEntries(widget.searchParams)
  return { companion, id: /return\/([\w-]{22})$/.exec(params.redirect_url ?? '')?.[1] ?? '', params }
}

/** The target of the return page. */
async function leadsTo({ companion, id }: Created, path = '/failed'): Promise<string | null> {
  const html = await (await companion.fetch(get(`/return/${id}${path}`))).text()
  const [, json = ''] = /id="purchase">(.*)<\/script>/.exec(html) ?? []
  return (JSON.parse(json) as { returnUrl: string | null }).returnUrl
}

/** The same address before the purchase was named in it. */
const unnamed = (address: string | null, { id }: Created): string | null =>
  address?.replace(new RegExp(`[?&]purchase=${id}$`), '') ?? null

test.each(['iframe', 'modal', 'popup'])(
  'in mode %s the page that shows the widget stays',
  async (surface) => {
    for (const redirectPage of ['self', 'new']) {
      const created = await byPage({ surface, redirectPage }, { referer: basket })
      expect(await leadsTo(created)).toBeNull()
      expect(unnamed(await leadsTo(created, ''), created)).toBe(thanks)
    }
  },
)

const pageDecides = { createPurchase: undefined as never }
const toThanks = { params: { redirect_url: thanks } }

test.each<[string, () => Promise<Created>]>([
  ['in mode redirect', () => byPage({ surface: 'redirect' }, { referer: basket })],
  [
    'with a return in a new tab',
    () => byPage({ surface: 'redirect', redirectPage: 'new' }, { referer: basket }),
  ],
  ['by a link', () => byLink({ referer: basket })],
  [
    'where the page decides',
    () => byPage({ surface: 'redirect', ...toThanks }, { referer: basket }, shop(pageDecides)),
  ],
])('a tab of its own returns to the page where the purchase was created: %s', async (_, begin) => {
  const created = await begin()
  expect(await leadsTo(created)).toBe(`${basket}&purchase=${created.id}`)
  expect(await leadsTo(created, '')).toBe(`${thanks}?purchase=${created.id}`)
})

test('a tab of its own returns to the merchant’s address for failures, where there is one', async () => {
  const failReturnUrl = `${shopOrigin}/sorry`
  const companion = shop({ createPurchase: () => ({ params: sale, returnUrl: thanks, failReturnUrl }) })
  const created = await byPage({ surface: 'redirect' }, { referer: basket }, companion)
  expect(unnamed(await leadsTo(created), created)).toBe(failReturnUrl)
})

test('GET /purchases/:id names that page, too', async () => {
  const { companion, id, params } = await byLink({ referer: basket })
  await service.buy(params, declinedCard('0400'))
  const known = await bodyOf(companion.fetch(get(`/purchases/${id}?returned=1`, 'ada')))
  expect(known).toMatchObject({ status: 'failed', returnUrl: `${basket}&purchase=${id}` })
})

describe('the page of a declined shopper, if the Referer is', () => {
  const home = `${shopOrigin}/`
  test.each<[string, string | undefined, string]>([
    ['missing, as in mail and apps', undefined, home],
    ['another site', 'https://evil.example/basket', home],
    ['a site that looks like the shop', 'https://shop.example.evil.example/', home],
    ['a site behind a name', 'https://shop.example@evil.example/', home],
    ['the shop behind a name', 'https://ada:secret@shop.example/', home],
    ['the shop by plain http', 'http://shop.example/basket', home],
    ['another port of the shop', 'https://shop.example:8443/basket', home],
    ['an app', 'android-app://com.example.shop/', home],
    ['a script', 'javascript:alert(1)', home],
    ['not an address', 'basket', home],
    ['too long', `${shopOrigin}/${'x'.repeat(2_000)}`, home],
    ['the shop alone, as by strict policies', shopOrigin, home],
    ['the page that says thank you', `${thanks}?purchase=${'A'.repeat(22)}`, home],
    ['the shop in capitals', 'HTTPS://SHOP.example/Basket', `${shopOrigin}/Basket`],
    ['the shop with its default port', 'https://shop.example:443/basket', `${shopOrigin}/basket`],
    ['as long as it may be', home.padEnd(2_000, 'x'), home.padEnd(2_000, 'x')],
    ['an earlier return', `${home}?purchase=${'A'.repeat(22)}&a=1`, `${home}?a=1`],
    [
      'an earlier return with all that the service adds',
      `${home}b?q=a+b&order_id=1&custom_id=2&fail_reason=400&type=order_complete&purchase=x#top`,
      `${home}b?q=a+b`,
    ],
    ['an earlier return without values', `${home}?purchase&order_id&a`, `${home}?a`],
    ['a page with a type of its own', `${home}?type=shoes&repurchase=1`, `${home}?type=shoes&repurchase=1`],
  ])('%s', async (_, referer, expected) => {
    const created = await byLink(referer === undefined ? {} : { referer })
    expect(unnamed(await leadsTo(created), created)).toBe(expected)
  })
})

describe('the shop’s own origin', () => {
  const other = 'https://www.shop.example'
  test('the shop’s origin is the page’s, for a companion on another origin', async () => {
    const companion = shop({ allowedOrigins: [shopOrigin, other] })
    const created = await byPage({ surface: 'redirect' }, { origin: other }, companion)
    expect(unnamed(await leadsTo(created), created)).toBe(`${other}/`)
  })

  test('the shop’s origin is the first that a browser can open, for a link', async () => {
    const companion = shop({ url: mount, allowedOrigins: ['capacitor://localhost', other, shopOrigin] })
    const created = await byLink({ referer: 'capacitor://localhost/basket' }, companion)
    expect(unnamed(await leadsTo(created), created)).toBe(`${other}/`)
  })

  test('the shop’s origin is the companion’s if only an app may call', async () => {
    const companion = shop({ url: mount, allowedOrigins: ['capacitor://localhost'] })
    const created = await byLink({}, companion)
    expect(unnamed(await leadsTo(created), created)).toBe(`${shopOrigin}/`)
  })
})

test('without any return address the shopper stays on the page', async () => {
  const companion = shop({ createPurchase: () => ({ params: sale }) })
  expect(await leadsTo(await byLink({ referer: basket }, companion))).toBeNull()
  expect(await leadsTo(await byPage({ surface: 'redirect' }, { referer: basket }, companion))).toBeNull()
})
