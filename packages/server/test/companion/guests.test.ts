// Promise: companion/guests
/** Guests: how they are identified, for how long, and that their cookie cannot be forged. */
import { serializeSigned } from 'hono/utils/cookie'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type Authorized,
  type AuthorizedShopper,
  type Companion,
  type CompanionOptions,
  guests,
  isInvalidInputError,
  type LaunchGrant,
  PurchaseRefused,
} from '../../src/index.ts'
import { bodyOf, companionOf, get, mount, navigation, post } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const secret = 'a secret of the shop, 32 characters long'
const guest = guests({ secret })

const service = await serviceOfThisFile()
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const asks = (cookie = '', url = mount): Request => new Request(url, { headers: { cookie } })

/** The shopper that `authorize` returns; a guest's cookie as the browser sends it back. */
async function identified(answer: Promise<Authorized>): Promise<AuthorizedShopper & { cookie: string }> {
  const shopper = await answer
  if (shopper === null || shopper instanceof Response) throw new Error('It is nobody.')
  return { ...shopper, cookie: pairOf(shopper.setCookie) }
}

const pairOf = (setCookie = ''): string => setCookie.split(';')[0] ?? ''

test('a guest keeps their id, and receives the cookie once', async () => {
  const { customId, cookie } = await identified(guest(asks()))
  expect(customId).toMatch(/^guest_[\da-f-]{36}$/)
  expect(await guest(asks(cookie))).toEqual({ customId })
  expect(await guest(asks(`theme=dark; ${cookie}; other=1`))).toEqual({ customId })
  expect(await guests({ secret })(asks(cookie))).toEqual({ customId })
  expect((await identified(guest(asks()))).customId).not.toBe(customId)
})

test('the cookie is HttpOnly, SameSite=Lax, for the whole host, and Secure on https and in production', async () => {
  const cookieAt = async (url: string): Promise<string[]> =>
    ((await identified(guest(asks('', url)))).setCookie ?? '').split('; ').slice(1)
  const always = ['Max-Age=1209600', 'Path=/', 'HttpOnly', 'SameSite=Lax']
  expect((await cookieAt('http://localhost:3000/launch')).sort()).toEqual(always.toSorted())
  expect((await cookieAt(mount)).sort()).toEqual([...always, 'Secure'].sort())
  vi.stubEnv('NODE_ENV', 'production')
  expect((await cookieAt('http://localhost:3000/launch')).sort()).toEqual([...always, 'Secure'].sort())
})

test('in production, also behind a proxy that ends TLS, no other host of the site can set the cookie', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const behind = 'http://localhost:3000/launch'
  const { customId, cookie } = await identified(guest(asks('', behind)))
  expect(cookie).toMatch(/^__Host-purchase_guest=guest_/)
  expect(await guest(asks(cookie, behind))).toEqual({ customId })
  const other = await identified(guest(asks(cookie.replace('__Host-', ''), behind)))
  expect(other.customId).not.toBe(customId)
})

test('on https no other host of the site can set the cookie', async () => {
  const { cookie } = await identified(guest(asks()))
  expect(cookie).toMatch(/^__Host-purchase_guest=guest_/)
  const withoutPrefix = cookie.replace('__Host-', '')
  expect(await guest(asks(withoutPrefix))).toHaveProperty('setCookie')
})

test('a cookie that is changed anywhere makes a new guest', async () => {
  const { cookie } = await identified(guest(asks()))
  // The last character of base64 has two unused bits; %3D comes after it.
  const end = cookie.length - '_%3D'.length
  for (let place = cookie.indexOf('=') + 1; place < end; place++) {
    const other = cookie[place] === 'A' ? 'B' : 'A'
    const forged = cookie.slice(0, place) + other + cookie.slice(place + 1)
    expect(await guest(asks(forged)), forged).toHaveProperty('setCookie')
  }
})

test.each([
  ['without a signature', 'guest_1.99999999999999'],
  ['with an empty signature', 'guest_1.99999999999999.'],
  ['with two ends', 'guest_1.1.99999999999999.AAAA'],
  ['empty', ''],
  ['of the prototype', '__proto__'],
])('a cookie %s identifies no guest', async (_, value) => {
  expect(await guest(asks(`__Host-purchase_guest=${value}`))).toHaveProperty('setCookie')
})

test('a cookie that was signed with another secret, or for another purpose, identifies no guest', async () => {
  const { cookie } = await identified(guests({ secret: secret.toUpperCase() })(asks()))
  expect(await guest(asks(cookie))).toHaveProperty('setCookie')
  const own = await serializeSigned('cart', 'guest_1.99999999999999', secret)
  expect(await guest(asks(own.replace('cart', '__Host-purchase_guest')))).toHaveProperty('setCookie')
})

test('a guest expires after two weeks, even if the cookie is kept', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { customId, cookie } = await identified(guest(asks()))
  const TWO_WEEKS = 14 * 24 * 60 * 60 * 1000
  vi.setSystemTime(Date.now() + TWO_WEEKS - 1)
  expect(await guest(asks(cookie))).toEqual({ customId })
  vi.setSystemTime(Date.now() + 1)
  expect((await identified(guest(asks(cookie)))).customId).not.toBe(customId)
})

test.each([undefined, '', 'short', 'x'.repeat(31)])(
  'a secret such as %j is refused on the first request',
  async (poor) => {
    const answer = guests({ secret: poor })(asks())
    await expect(answer).rejects.toSatisfy(isInvalidInputError)
    await expect(answer).rejects.toThrow(/SESSION_SECRET/)
  },
)

test('a shopper who signs in keeps what they bought as a guest', async () => {
  const { customId, cookie } = await identified(guest(asks()))
  const signedIn = guests({
    secret,
    authorize: (_request, user?: string) => (user ? { customId: user } : null),
  })
  expect(await signedIn(asks(cookie), 'ada')).toEqual({ customId: 'ada', formerly: [customId] })
  expect(await signedIn(asks(), 'ada')).toEqual({ customId: 'ada' })
  expect(await signedIn(asks(cookie))).toEqual({ customId })
  const before = guests({ secret, authorize: () => ({ customId: 'ada', userId: '7', formerly: ['old'] }) })
  expect(await before(asks(cookie))).toEqual({ customId: 'ada', userId: '7', formerly: ['old', customId] })
})

test('a redirect of authorize to the sign-in page is followed', async () => {
  const toSignIn = new Response(null, { status: 302, headers: { location: '/sign-in' } })
  expect(await guests({ secret, authorize: () => toSignIn })(asks())).toBe(toSignIn)
})

function shop(options: Partial<CompanionOptions> = {}): Companion {
  return companionOf(service.client(), {
    url: mount,
    authorize: guest,
    createPurchase({ params }) {
      if (params.product_id !== 'gold-100') throw new PurchaseRefused('We do not sell that.')
      return { params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }
    },
    onOrder() {},
    onError() {},
    ...options,
  })
}

const opens = (path: string, headers: Record<string, string>): Request => get(path, undefined, headers)

const gold = { product_id: 'gold-100' }
const launchRequest = (): Request => post('/launch', { params: gold })

test('a link gives a new guest their cookie on the way to the widget, and then keeps the guest', async () => {
  const companion = shop()
  const link = '/launch?product_id=gold-100'
  const first = await companion.fetch(opens(link, navigation('none')))
  expect(first.status).toBe(303)
  expect(first.headers.getSetCookie()).toHaveLength(1)
  const cookie = pairOf(first.headers.getSetCookie()[0])
  const again = await companion.fetch(opens(link, { ...navigation('same-origin'), cookie }))
  expect(again.headers.getSetCookie()).toEqual([])
  const shopperOf = (answer: Response): string | null =>
    new URL(answer.headers.get('location') ?? '').searchParams.get('custom_id')
  expect(shopperOf(again)).toBe(shopperOf(first))
  expect(shopperOf(first)).toMatch(/^guest_/)
})

test('a page’s POST gives a new guest their cookie, even if the sale is refused', async () => {
  const companion = shop()
  const given = await companion.fetch(launchRequest())
  const { purchaseId } = (await given.json()) as LaunchGrant
  const cookie = pairOf(given.headers.getSetCookie()[0])
  const known = await bodyOf(companion.fetch(opens(`/purchases/${purchaseId}`, { cookie })))
  expect(known).toMatchObject({ begun: true })
  const refused = await companion.fetch(post('/launch', { params: { product_id: 'silver' } }))
  expect(refused.status).toBe(403)
  expect(refused.headers.getSetCookie()).toHaveLength(1)
})

test('a status request without a cookie receives the status alone, and creates no guest', async () => {
  const companion = shop()
  const { purchaseId, params } = (await bodyOf(companion.fetch(launchRequest()))) as LaunchGrant
  const order = await service.buy(params)
  await companion.syncOrder({ order_id: order.id })
  const answer = await companion.fetch(opens(`/purchases/${purchaseId}`, {}))
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await answer.json()).toEqual({ status: 'complete', fresh: true, begun: false })
})

test.each([
  [
    'a POST of another site',
    post('/launch', { params: gold }, undefined, { origin: 'https://evil.example' }),
  ],
  ['a frame of another site', opens('/launch?product_id=gold-100', navigation('cross-site', 'iframe'))],
  [
    'a fetch of another site',
    opens('/orders', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
  ],
  ['a maker of link previews', opens('/launch?product_id=gold-100', {})],
  [
    'a prefetch',
    opens('/launch?product_id=gold-100', {
      ...navigation('same-origin'),
      'sec-purpose': 'prefetch',
    }),
  ],
])('%s is refused without a cookie', async (_, request) => {
  const answer = await shop().fetch(request)
  expect([401, 403]).toContain(answer.status)
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('a ticket of another shopper creates no guest', async () => {
  const companion = shop()
  const { launchUrl } = (await bodyOf(companion.fetch(launchRequest()))) as LaunchGrant
  const headers = { ...navigation('cross-site'), cookie: 'theme=dark', referer: 'https://evil.example/' }
  const answer = await companion.fetch(new Request(launchUrl, { headers }))
  expect(answer.status).toBe(403)
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('a shop’s own authorize can set a cookie for a new shopper', async () => {
  const own = shop({ authorize: () => ({ customId: 'ada', setCookie: 'session=1; HttpOnly' }) })
  const answer = await own.fetch(launchRequest())
  expect(answer.headers.getSetCookie()).toEqual(['session=1; HttpOnly'])
  const { params } = (await answer.json()) as LaunchGrant
  expect(params.custom_id).toBe('ada')
})
