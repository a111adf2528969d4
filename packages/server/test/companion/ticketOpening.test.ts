// Promise: launch/ticket
/** Who may open `/launch`, as a link and with a ticket: from which page, and how. And how long a ticket is valid, where, and what voids it. */
import { describe, expect, test } from 'vitest'
import {
  type Companion,
  type CompanionOptions,
  createPurchaseClient,
  type LaunchGrant,
  memoryStore,
} from '../../src/index.ts'
import { createTickets, type Ticket } from '../../src/purchase/ticket.ts'
import {
  companionOf,
  companionOfThisFile,
  mount,
  navigation as opened,
  post,
  shopOrigin,
} from '../support/companion.ts'
import { settings } from '../support/settings.ts'

const { client } = await companionOfThisFile()

const shop = (options: Partial<CompanionOptions> = {}): Companion =>
  companionOf(client, { url: mount, allowedOrigins: [shopOrigin, pages], authorize, ...options })

type Headers = Record<string, string>

/** Another origin of the shop's. */
const pages = 'https://www.shop.example'
const evil = 'https://evil.example'
const link = `${mount}/launch?product_id=gold-100`

const from = (referer: string): Headers => ({ referer })

async function ticketOf(
  companion: Companion,
  origin: string | null = shopOrigin,
  shopper = 'ada',
): Promise<string> {
  const asApp = new Request(`${mount}/launch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shopper}` },
    body: '{}',
  })
  const asPage = post('/launch', {}, shopper, { origin: origin ?? '' })
  const response = await companion.fetch(origin === null ? asApp : asPage)
  expect(response.status).toBe(200)
  return ((await response.json()) as LaunchGrant).launchUrl
}

/** The session of an app is an Authorization header, the others' a cookie. */
const authorize: CompanionOptions['authorize'] = ({ headers }) => {
  const [, byCookie] = /shopper=([^;]+)/.exec(headers.get('cookie') ?? '') ?? []
  const customId = byCookie ?? headers.get('authorization')?.slice('Bearer '.length)
  return customId ? { customId } : null
}

/** No page of the shop's sends these: they create no purchase and reveal no address. */
const neverOpened: Record<string, Headers> = {
  'a fetch of the same page': opened('same-origin', 'empty', 'cors'),
  'a fetch of another site': { ...opened('cross-site', 'empty', 'no-cors'), ...from(evil) },
  'a fetch of an allowed page': { ...opened('cross-site', 'empty', 'cors'), ...from(`${pages}/`) },
  'a same-origin fetch that claims another site': opened('cross-site', 'empty', 'same-origin'),
  'an image': opened('same-origin', 'image', 'no-cors'),
  'an image of another site': opened('cross-site', 'image', 'no-cors'),
  'a script': opened('same-origin', 'script', 'no-cors'),
  'a worker': opened('same-origin', 'worker', 'same-origin'),
  'an image by its destination alone': { 'sec-fetch-dest': 'image' },
  'a fetch by its destination alone': { 'sec-fetch-dest': 'empty' },
  'a prefetch': { ...opened('same-origin'), 'sec-purpose': 'prefetch' },
  'speculation rules': { ...opened('same-origin'), 'sec-purpose': 'prefetch;prerender' },
  'an older prefetch': { ...opened('same-origin'), purpose: 'Prefetch' },
  'a prefetch of Firefox': { ...opened('same-origin'), 'x-moz': 'prefetch' },
  'a preview': { ...opened('same-origin'), purpose: 'preview' },
  'a preview of Safari': { ...opened('same-origin'), 'x-purpose': 'preview' },
}

/** The target address; the status if there is none. */
async function led(companion: Companion, address: string, headers: Headers, method = 'GET'): Promise<string> {
  const answer = await companion.fetch(new Request(address, { method, headers }))
  return answer.headers.get('location') ?? String(answer.status)
}

test.each(Object.entries(neverOpened))(
  '%s opens neither link nor ticket, and creates nothing',
  async (_, headers) => {
    const store = memoryStore()
    const companion = shop({ store })
    const asAda = { ...headers, cookie: 'shopper=ada' }
    expect(await led(companion, link, asAda)).toBe('403')
    expect(await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 9 })).toEqual([])
    expect(await led(companion, await ticketOf(companion), asAda)).toBe('403')
  },
)

const asPage = shopOrigin
const asOtherPage = pages
const asApp = null

/** Who requested the ticket, how it is opened, and whether the widget is shown. */
const cases: [string, string | null, Headers, 'opens' | 'refused'][] = [
  ['a frame of the page that asked', asPage, opened('same-origin', 'iframe'), 'opens'],
  ['a window of the page that asked', asPage, opened('same-origin'), 'opens'],
  [
    'the page, with its address',
    asPage,
    { ...opened('same-origin'), ...from(`${asPage}/basket?a=1`) },
    'opens',
  ],
  [
    'an allowed page on another site',
    asOtherPage,
    { ...opened('cross-site', 'iframe'), ...from(`${pages}/`) },
    'opens',
  ],
  ['its window', asOtherPage, { ...opened('cross-site'), ...from(`${pages}/`) }, 'opens'],
  ['its sibling host', asOtherPage, { ...opened('same-site', 'iframe'), ...from(`${pages}/`) }, 'opens'],
  ['it without a Referer', asOtherPage, opened('cross-site', 'iframe'), 'refused'],
  ['its sibling host without a Referer', asOtherPage, opened('same-site'), 'refused'],
  [
    'another allowed page than the one that asked',
    asPage,
    { ...opened('cross-site'), ...from(`${pages}/`) },
    'refused',
  ],
  ['a page on plain http in a network', asPage, from(`${asPage}/basket`), 'opens'],
  ['the companion’s own page in an older browser', asOtherPage, from(`${shopOrigin}/basket`), 'opens'],
  ['an older browser that does not say which page it is', asPage, {}, 'refused'],
  ['a link of another site', asPage, { ...opened('cross-site'), ...from(`${evil}/`) }, 'refused'],
  ['a link of another site in an older browser', asPage, from(`${evil}/`), 'refused'],
  ['a link of another site that hides itself', asPage, opened('cross-site'), 'refused'],
  ['a frame of another site', asPage, { ...opened('cross-site', 'iframe'), ...from(`${evil}/`) }, 'refused'],
  ['a frame of another site that hides itself', asPage, opened('cross-site', 'iframe'), 'refused'],
  ['a frame of a sibling host', asPage, opened('same-site', 'iframe'), 'refused'],
  ['an embed of another site', asPage, opened('cross-site', 'embed'), 'refused'],
  [
    'a site that looks like the page',
    asPage,
    { ...opened('cross-site'), ...from(`${asPage}.evil.example/`) },
    'refused',
  ],
  ['the page by plain http', asPage, { ...opened('cross-site'), ...from('http://shop.example/') }, 'refused'],
  ['another port of the page', asPage, { ...opened('same-site'), ...from(`${asPage}:8443/`) }, 'refused'],
  ['a program', asPage, { 'sec-fetch-mode': 'cors' }, 'refused'],
  ['the program of an app', asApp, { 'sec-fetch-mode': 'cors' }, 'opens'],
  ['an address that was typed', asPage, opened('none'), 'opens'],
  ['another site’s ticket of an app', asApp, { ...opened('cross-site'), ...from(`${evil}/`) }, 'refused'],
  ['another site’s frame of an app’s ticket', asApp, opened('cross-site', 'iframe'), 'refused'],
  ['the webview of an app', asApp, opened('none'), 'opens'],
  ['the webview of an app without fetch metadata', asApp, {}, 'opens'],
  [
    'the browser that an app opens',
    asApp,
    { ...opened('none'), ...from('android-app://com.example.shop/') },
    'opens',
  ],
  ['a shop’s service worker', asPage, opened('same-origin', 'empty'), 'opens'],
  ['a shop’s service worker in Firefox', asPage, opened('same-origin', 'empty', 'same-origin'), 'opens'],
  [
    'another site through a shop’s service worker',
    asPage,
    { ...opened('same-origin', 'empty'), ...from(`${evil}/`) },
    'refused',
  ],
]

test.each(cases)('a ticket without a session: %s', async (_, origin, headers, expected) => {
  const companion = shop()
  const to = await led(companion, await ticketOf(companion, origin), headers)
  expect(to).toMatch(expected === 'opens' ? 'accessToken=' : /^403$/)
})

describe('a ticket with a session', () => {
  const adas = { cookie: 'shopper=ada' }
  const eves = { cookie: 'shopper=eve' }
  test.each<[string, string | null, Headers, 'opens' | 'refused']>([
    ['its shopper types the address', asPage, { ...opened('none'), ...adas }, 'opens'],
    ['another shopper types the address', asPage, { ...opened('none'), ...eves }, 'refused'],
    ['nobody who is signed in types it', asPage, { ...opened('none'), cookie: 'theme=dark' }, 'opens'],
    ['its shopper comes without a Referer', asOtherPage, { ...opened('cross-site'), ...adas }, 'opens'],
    ['another shopper comes without a Referer', asOtherPage, { ...opened('cross-site'), ...eves }, 'refused'],
    ['its shopper’s older browser says nothing', asPage, adas, 'opens'],
    ['another shopper’s older browser says nothing', asPage, eves, 'refused'],
    [
      'a foreign frame has the session of its shopper',
      asPage,
      { ...opened('cross-site', 'iframe'), ...adas },
      'refused',
    ],
    [
      'another shopper comes by a service worker',
      asPage,
      { ...opened('same-origin', 'empty'), ...eves },
      'refused',
    ],
    [
      'the browser that an app opens has a session of its own',
      asApp,
      { ...opened('none'), ...eves },
      'opens',
    ],
    ['an app sends its own', asApp, { authorization: 'Bearer ada' }, 'opens'],
  ])('a ticket with a session, when %s', async (_, origin, headers, expected) => {
    const companion = shop()
    const to = await led(companion, await ticketOf(companion, origin), headers)
    expect(to).toMatch(expected === 'opens' ? 'accessToken=' : /^403$/)
  })

  test('the shop’s own frame needs no session: one that authorize creates for a stray cookie is not required', async () => {
    let guests = 0
    const companion = shop({
      authorize: (request) => authorize(request) ?? { customId: `guest-${++guests}` },
    })
    const ticket = await ticketOf(companion)
    const headers = { ...opened('same-origin', 'iframe'), cookie: 'theme=dark' }
    expect(await led(companion, ticket, headers)).toContain('accessToken=')
  })

  test('a shopper who has since signed in opens what they created as a guest', async () => {
    const companion = shop({
      authorize: (request) => {
        const caller = authorize(request)
        return caller && ({ ...caller, formerly: ['guest-1'] } as never)
      },
    })
    const headers = { ...opened('none'), ...adas }
    const ticket = await ticketOf(companion, asPage, 'guest-1')
    expect(await led(companion, ticket, headers)).toContain('accessToken=')
  })
})

// Promise: link/navigations-only
test('HEAD opens neither link nor ticket', async () => {
  const companion = shop()
  const headers = { ...opened('same-origin'), cookie: 'shopper=ada' }
  for (const address of [await ticketOf(companion), link])
    expect(await led(companion, address, headers, 'HEAD')).toBe('405')
})

// Promise: link/headers
test.each(['link', 'ticket'])(
  'a %s sets the same headers for caches, referrers, robots and openers',
  async (kind) => {
    const companion = shop()
    const address = kind === 'link' ? link : await ticketOf(companion)
    const headers = { ...opened('same-origin'), cookie: 'shopper=ada' }
    const response = await companion.fetch(new Request(address, { headers }))
    expect(response.status).toBe(303)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'unsafe-none',
      'x-robots-tag': 'noindex, nofollow',
    })
  },
)

// Promise: launch/ticket
const id = 'AbCdEfGhIjKlMnOpQrSt_-'

test('a ticket is valid for one minute, at one companion, and unchanged', async () => {
  let now = 1_000_000
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => now })
  const issued = {
    purchaseId: id,
    params: { product_id: 'gold', custom_id: 'ada' },
    origin: 'https://shop.example',
    shopper: { customId: 'ada', userId: 'U1' },
  }
  const ticket = tickets.issue(mount, issued)
  expect(await tickets.read(mount, ticket)).toEqual({ ticket: issued, hasEnded: false })
  const ofApp = { purchaseId: id, params: {}, origin: null, shopper: { userId: 'U1' } }
  expect(await tickets.read(mount, tickets.issue(mount, ofApp))).toEqual({
    ticket: ofApp,
    hasEnded: false,
  })
  expect(await tickets.read(`${mount}/other`, ticket)).toBeNull()
  const others = createTickets({
    client: createPurchaseClient({ ...settings, secretKey: 'another' }),
    now: () => now,
  })
  expect(await others.read(mount, ticket)).toBeNull()
  const [content = '', signature = ''] = ticket.split('.')
  for (const changed of [
    '',
    '.',
    content,
    `${content}.`,
    `.${signature}`,
    `x${content}.${signature}`,
    `${content}.${content}`,
    `${content}.${signature}.`,
    `${content}..${signature}`,
    `${content}.${signature.toLowerCase()}`,
    `${content}.${signature}x`,
    '%.%',
  ])
    expect(await tickets.read(mount, changed), changed).toBeNull()
  expect(await tickets.read(mount, `${'x'.repeat(32_768)}.x`)).toBeNull()
  now += 59_999
  expect((await tickets.read(mount, ticket))?.hasEnded).toBe(false)
  now += 1
  expect((await tickets.read(mount, ticket))?.hasEnded).toBe(true)
})

test('a ticket is read up to a length that fits an address, and no longer', async () => {
  const tickets = createTickets({ client: createPurchaseClient(settings), now: () => 1_000_000 })
  const ticketWith = (length: number): Ticket => ({
    purchaseId: id,
    params: { text: 'x'.repeat(length) },
    origin: null,
    shopper: { userId: 'U1' },
  })
  for (const [length, isRead] of [
    [24_000, true],
    [25_000, false],
  ] as const) {
    const issued = ticketWith(length)
    const read = await tickets.read(mount, tickets.issue(mount, issued))
    expect(read).toEqual(isRead ? { ticket: issued, hasEnded: false } : null)
  }
})
