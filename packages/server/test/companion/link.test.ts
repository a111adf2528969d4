/** `GET /launch` as a link that names a purchase: who may open what, and what others receive. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { orderFields } from '../../src/client/wire.ts'
import {
  type Companion,
  type CompanionOptions,
  memoryStore,
  type OrderType,
  type PurchaseAnswer,
  type PurchaseDecision,
  PurchaseRefused,
  type Store,
} from '../../src/index.ts'
import {
  companionOf,
  companionOfThisFile,
  get,
  mount,
  navigation,
  post,
  shopOrigin,
} from '../support/companion.ts'

const { client, service } = await companionOfThisFile()
let store: Store
beforeEach(() => {
  store = memoryStore()
})

const gold = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }
const open = (options: Partial<CompanionOptions> = {}): Companion =>
  companionOf(client, {
    store,
    url: mount,
    rateLimit: { perShopper: 10_000 },
    createPurchase: ({ params }) => ({ params: { ...gold, product_id: params.product_id } }),
    ...options,
  })

type Headers = Record<string, string>
const ownFrame = navigation('same-origin', 'iframe')
const html = { accept: 'text/html' }

let made = 0
const newId = (): string => `id-${++made}-`.padEnd(22, 'x')
const link = (query: Headers, headers: Headers, shopper?: string): Request =>
  get(`/launch?${new URLSearchParams({ product_id: 'gold-100', ...query })}`, shopper, headers)
const rows = (): ReturnType<Store['purchases']['unsettled']> =>
  store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 })

async function createByLink(companion: Companion, shopper: string): Promise<string> {
  const purchase = newId()
  expect((await companion.fetch(link({ purchase }, ownFrame, shopper))).status).toBe(303)
  return purchase
}

async function answerTo(
  companion: Companion,
  id: string,
  shopper?: string,
  query = '',
): Promise<PurchaseAnswer> {
  return (await (await companion.fetch(get(`/purchases/${id}${query}`, shopper))).json()) as PurchaseAnswer
}

/** Whether it shows the widget (W) or a page of the companion's (p). */
type Shown = 'W' | 'p'

/**
 * The kind of link, and what it shows for: a link without an id; an unused id; the shopper's own; another shopper's;
 * a complete one.
 */
const callers: [string, Headers, `${Shown}${Shown}${Shown}${Shown}${Shown}`][] = [
  ['a frame of the shop', ownFrame, 'WWWpp'],
  ['a window of the shop', navigation('same-origin'), 'WWWpp'],
  [
    'a page of the shop through its service worker',
    { ...navigation('same-origin', 'empty', 'same-origin'), referer: `${shopOrigin}/basket` },
    'WWWpp',
  ],
  ['a service worker that names no page', navigation('same-origin', 'empty', 'same-origin'), 'WpWpp'],
  ['an address that was typed, or a mail program', navigation('none'), 'WpWpp'],
  ['a link on another site', { ...navigation('cross-site'), 'sec-fetch-user': '?1' }, 'WpWpp'],
  ['a window that another site opens', navigation('cross-site'), 'WpWpp'],
  ['a window of a sibling host', navigation('same-site'), 'WpWpp'],
  ['a page of the shop on plain http', { referer: `${shopOrigin}/basket` }, 'WpWpp'],
  ['a webview without fetch metadata', {}, 'WpWpp'],
  ['a webview with a purpose of its own', { purpose: 'other' }, 'WpWpp'],
  ['the fetch of Node, which names a mode alone', { 'sec-fetch-mode': 'cors' }, 'WpWpp'],
  ['a page of the shop that names its origin alone', { origin: shopOrigin }, 'WpWpp'],
  ['a page of another site that names its origin alone', { origin: 'https://evil.example' }, 'ppppp'],
  ['a script that names no place', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' }, 'ppppp'],
  ['a script that names no site', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'document' }, 'ppppp'],
  ['a fetch of a document', navigation('same-origin', 'document', 'cors'), 'ppppp'],
  ['a page of another site as same-origin', navigation('cross-site', 'empty', 'same-origin'), 'ppppp'],
  ['a frame of another site', navigation('cross-site', 'iframe'), 'ppppp'],
  ['a frame of a sibling host', navigation('same-site', 'iframe'), 'ppppp'],
]

test.each(callers)('%s shows what its caller may see', async (_, headers, expected) => {
  const companion = open()
  const [own, anothers, complete] = [
    await createByLink(companion, 'ada'),
    await createByLink(companion, 'grace'),
    await createByLink(companion, 'ada'),
  ]
  await store.purchases.claim(complete, 'order-1')
  const before = (await rows()).length
  const shown: Shown[] = []
  for (const purchase of [undefined, newId(), own, anothers, complete]) {
    const query: Headers = purchase === undefined ? {} : { purchase }
    const response = await companion.fetch(link(query, headers, 'ada'))
    shown.push(response.status === 303 ? 'W' : 'p')
    if (response.status !== 303) expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  expect(shown.join('')).toBe(expected)
  const beganNew = [...expected.slice(0, 2)].filter((one) => one === 'W').length
  expect((await rows()).length).toBe(before + beganNew)
})

test('a router that fetches the link, such as Turbo, gets no page to show as the shop’s own, so that the browser follows the link', async () => {
  const fetched = { ...navigation('same-origin', 'empty', 'cors'), ...html }
  const types = []
  for (const headers of [fetched, { ...fetched, 'sec-purpose': 'prefetch' }, { ...ownFrame, ...html }]) {
    const response = await open({ authorize: () => null }).fetch(link({}, headers))
    types.push(response.headers.get('content-type')?.split(';')[0])
  }
  expect(types).toEqual(['application/json', 'application/json', 'text/html'])
})

test('a frame of a sibling host shows a purchase once the merchant has named a page elsewhere', async () => {
  const headers = navigation('same-site', 'iframe')
  const companion = open({ allowedOrigins: [shopOrigin, 'https://blog.shop.example'] })
  expect((await companion.fetch(link({}, headers, 'ada'))).status).toBe(303)
  const alone = open({ allowedOrigins: [shopOrigin] })
  expect((await alone.fetch(link({}, headers, 'ada'))).status).toBe(403)
})

// Promise: link/other-sites
test('links from elsewhere use up none of the allowance of the shop’s pages', async () => {
  const companion = open({ rateLimit: { perShopper: 2 } })
  const mail = { ...navigation('cross-site'), 'sec-fetch-user': '?1' }
  const statuses: number[] = []
  for (let at = 0; at < 3; at++) statuses.push((await companion.fetch(link({}, mail, 'ada'))).status)
  expect(statuses).toEqual([303, 303, 429])
  expect((await companion.fetch(link({ purchase: newId() }, ownFrame, 'ada'))).status).toBe(303)
})

/** Links from the shop, links from elsewhere, and windows that another site opens have an allowance each. */
const openers = {
  'a window that another site opens': navigation('cross-site'),
  'a link in web mail': { ...navigation('cross-site'), 'sec-fetch-user': '?1' },
  'a link of a sibling host': navigation('same-site'),
  'a typed address': navigation('none'),
  'a page of the shop': ownFrame,
}

test.each<[keyof typeof openers, keyof typeof openers, number]>([
  ['a window that another site opens', 'a window that another site opens', 429],
  ['a window that another site opens', 'a link in web mail', 303],
  ['a window that another site opens', 'a link of a sibling host', 303],
  ['a link of a sibling host', 'a link in web mail', 429],
  ['a link in web mail', 'a typed address', 303],
  ['a typed address', 'a page of the shop', 429],
])('with an allowance of one, after %s, %s is answered %i', async (first, second, status) => {
  const companion = open({ rateLimit: { perShopper: 1 } })
  expect((await companion.fetch(link({}, openers[first], 'ada'))).status).toBe(303)
  expect((await companion.fetch(link({}, openers[second], 'ada'))).status).toBe(status)
})

// Promise: link/own-pages
test('no way to open others’, complete, expired, unproven or malformed ids shows a widget, begins anything or reveals a status', async () => {
  let time = Date.now()
  const companion = open({ now: () => time })
  const order = { id: 'order-1', type: 'order_complete', state: 'matched', summary: '{}' } as const
  async function createBoth(): Promise<[string, string]> {
    const [paid, unpaid] = [await createByLink(companion, 'ada'), await createByLink(companion, 'ada')]
    await store.purchases.record(paid, order)
    return [paid, unpaid]
  }
  const expired = await createBoth()
  const ownExpired = await createByLink(companion, 'mallory')
  time += 86_400_001
  const others = await createBoth()
  const ownComplete = await createByLink(companion, 'mallory')
  await store.purchases.claim(ownComplete, 'order-2')
  const malformed = ['', 'x', 'x'.repeat(21), 'x'.repeat(23), `${'x'.repeat(21)}.`, `${'x'.repeat(21)}/`]
  const tries = callers.flatMap(([caller, headers, expected]) => {
    const unproven = expected[1] === 'p' ? [newId()] : []
    const ids = [...others, ...expired, ownComplete, ownExpired, ...unproven, ...malformed]
    return ids.map((id) => ({ caller, headers, id }))
  })
  expect(new Set(tries.map(({ caller, id }) => `${caller} ${id}`)).size).toBe(tries.length)
  expect(tries.length).toBeGreaterThan(200)
  const before = await rows()
  const began = vi.spyOn(store.purchases, 'begin')
  const shown: string[] = []
  const told: string[] = []
  for (const { caller, headers, id } of tries) {
    const response = await companion.fetch(link({ purchase: id }, headers, 'mallory'))
    if (response.status < 400 || response.headers.has('location')) shown.push(`${caller}: ${id}`)
    // What is Mallory's own, Mallory may know.
    const asking = [ownComplete, ownExpired].includes(id) ? 'eve' : 'mallory'
    const answer = await answerTo(companion, encodeURIComponent(id), asking)
    const { status = 'none', begun = false, order = null, refused } = answer
    if (status !== 'none' || begun || order || refused?.code === 'conflict') told.push(`${caller}: ${id}`)
  }
  expect([shown, told]).toEqual([[], []])
  expect(began).not.toHaveBeenCalled()
  expect(await rows()).toEqual(before)
  expect(await answerTo(companion, others[0] ?? '', 'ada')).toMatchObject({ status: 'complete', begun: true })
})

test('a link shows its purchase until that expires', async () => {
  let time = Date.now()
  const decide = (): PurchaseDecision => ({ params: gold, validFor: 60_000 })
  const companion = open({ now: () => time, createPurchase: decide })
  const purchase = await createByLink(companion, 'ada')
  const statusAfter = async (ms: number): Promise<number> => {
    time += ms
    return (await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status
  }
  expect([await statusAfter(59_999), await statusAfter(1)]).toEqual([303, 403])
})

// Promise: link/allowed-fields
test('an input that a link must not carry does not reach the widget, by whatever way the link is opened', async () => {
  // Where the page decides, anything that passes the link reaches the widget.
  const companion = open({ createPurchase: undefined as never })
  const free = ['product_id', 'locale', 'redirect_page', 'purchase', 'ticket']
  const others = ['accessToken', 'partner_data', 'Address', 'utm_medium', 'surface']
  const fixed = [...orderFields, ...others].filter((name) => !free.includes(name))
  const names = new Set([...fixed, ...fixed.map((name) => name.toUpperCase()), '__proto__', 'purchaseId'])
  const ways = callers.flatMap(([caller, headers, expected]) => [
    ...(expected[0] === 'W' ? [{ caller, headers, isNamed: false }] : []),
    ...(expected[1] === 'W' ? [{ caller, headers, isNamed: true }] : []),
  ])
  const wishes = names.size * ways.length
  expect(wishes).toBeGreaterThanOrEqual(500)
  const reached: string[] = []
  let opened = 0
  for (const name of names) {
    for (const { caller, headers, isNamed } of ways) {
      const query = { [name]: 'evil', ...(isNamed ? { purchase: newId() } : {}) }
      const response = await companion.fetch(link(query, headers, `shopper-${newId()}`))
      const location = response.headers.get('location')
      if (location !== null) opened++
      if (location?.includes('evil')) reached.push(`${name}, ${caller}`)
    }
  }
  expect(reached).toEqual([])
  // `surface` with a purchase is the page's, and has four values.
  expect(opened).toBe(wishes - ways.filter(({ isNamed }) => isNamed).length)
})

// Promise: link/navigations-only
test('a link preview creates nothing, even in a shop that gives every caller a session', async () => {
  const companion = open({ authorize: () => ({ customId: 'guest' }) })
  for (const agent of ['Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', ''])
    expect((await companion.fetch(link({}, { 'user-agent': agent }))).status).toBe(401)
  expect(await rows()).toEqual([])
  expect((await companion.fetch(link({}, { cookie: 'theme=dark' }))).status).toBe(303)
})

// Promise: link/one-row
describe('a purchase that is opened by its id', () => {
  test('a hundred simultaneous requests create a purchase once, and it is reopened unchanged', async () => {
    const companion = open()
    const purchase = newId()
    const requests = Array.from({ length: 100 }, (_, at) =>
      companion.fetch(link({ purchase, product_id: `gold-${at}`, surface: 'popup' }, ownFrame, 'ada')),
    )
    const locations = (await Promise.all(requests)).map(({ headers }) => headers.get('location'))
    expect(new Set(locations).size).toBe(1)
    expect(await rows()).toMatchObject([
      { purchase: { id: purchase, surface: 'popup', hostOrigin: shopOrigin, openedBy: 'shopper' } },
    ])
    const again = await companion.fetch(link({ purchase, locale: 'de' }, navigation('none'), 'ada'))
    expect(again.headers.get('location')).toBe(locations[0])
    expect(await answerTo(companion, purchase, 'ada')).toMatchObject({ status: 'none', begun: true })
    expect(await answerTo(companion, purchase)).toEqual({
      status: 'none',
      fresh: expect.any(Boolean),
      begun: false,
    })
  })

  test('a purchase ends with its first complete order, even before that has settled it', async () => {
    const companion = open()
    const purchase = await createByLink(companion, 'ada')
    const record = (id: string, type: OrderType): Promise<void> =>
      store.purchases.record(purchase, { id, type, state: 'matched', summary: '{}' })
    await record('order-1', 'order_failed')
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(303)
    await record('order-2', 'order_complete')
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(409)
  })

  test('a purchase continues when its shopper has signed in', async () => {
    const guest = await createByLink(open(), 'guest-1')
    const signedIn = open({ authorize: () => ({ customId: 'ada', formerly: ['guest-1'] }) })
    expect((await signedIn.fetch(link({ purchase: guest }, navigation('none')))).status).toBe(303)
  })

  test('a shopper keeps the purchases of the newest twenty earlier ids', async () => {
    const guest = await createByLink(open(), 'guest-1')
    for (const [ids, status] of [
      [20, 303],
      [21, 403],
    ] as const) {
      const formerly = Array.from({ length: ids }, (_, index) => `guest-${index + 1}`)
      const signedIn = open({ authorize: () => ({ customId: 'ada', formerly }) })
      expect((await signedIn.fetch(link({ purchase: guest }, navigation('none')))).status).toBe(status)
    }
  })

  // Promise: link/store-away
  test('with the store down a purchase opens only by an unseen id, and its status is none', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('the store is away'))
    const broken = { ...store, purchases: { ...store.purchases, find: away, begin: away } }
    const companion = open({ store: broken, onError: () => {} })
    const purchase = newId()
    expect((await companion.fetch(link({ purchase }, navigation('none'), 'ada'))).status).toBe(403)
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(303)
    expect((await companion.fetch(link({ purchase }, ownFrame, 'mallory'))).status).toBe(503)
    expect(await answerTo(companion, purchase, 'ada')).toMatchObject({ status: 'none', begun: false })
  })

  test('a link by id may choose what the merchant lets links choose, but no amount', async () => {
    const seen = vi.fn(() => ({ params: gold, open: ['utm_source', 'quote_amount'] }))
    const companion = open({ createPurchase: seen, linkParams: ['utm_source', 'quote_amount', 'size'] })
    const query = { utm_source: 'mail', quote_amount: '0.01', size: 'L', base: 'BTC' }
    const response = await companion.fetch(link(query, navigation('none'), 'ada'))
    const sent = Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)
    expect(sent).toMatchObject({ utm_source: 'mail', quote_amount: '9.99' })
    expect(seen).toHaveBeenCalledWith(
      expect.objectContaining({
        params: { product_id: 'gold-100', utm_source: 'mail', quote_amount: '0.01', size: 'L' },
      }),
    )
    for (const name of ['address', 'Address', 'email', 'custom_id', 'accessToken', 'a b']) {
      expect(() => open({ linkParams: [name] }), name).toThrow(/linkParams/)
    }
    expect(() => open({ linkParams: ['size'], createPurchase: undefined as never })).toThrow(/createPurchase/)
  })
})

// Promise: link/preload
describe('a preloaded purchase', () => {
  test('a preloaded purchase can be opened for ten minutes, also one of several for a product, and is then kept like any other', async () => {
    const companion = open()
    const preload = async (): Promise<string> => {
      const purchase = newId()
      await companion.fetch(link({ purchase, preload: '1' }, ownFrame, 'ada'))
      return purchase
    }
    const [first, second] = [await preload(), await preload()]
    const { openUntil } = await answerTo(companion, second, 'ada')
    expect(Date.parse(openUntil ?? '') - Date.now()).toBeGreaterThan(590_000)
    // No one else can open it.
    expect(await answerTo(companion, second, 'mallory', '?opened=1')).toMatchObject({ begun: false })
    expect((await answerTo(companion, second, 'ada')).openUntil).toBe(openUntil)
    expect((await answerTo(companion, second, 'ada', '?opened=1')).openUntil).toBeUndefined()
    await preload()
    expect(await answerTo(companion, second, 'ada')).toMatchObject({ begun: true })
    // The frame that was loaded first is shown.
    expect(await answerTo(companion, first, 'ada', '?opened=1')).toMatchObject({ begun: true })
    expect((await store.purchases.find(first))?.preloadedUntil).toBeNull()
  })

  test('the widget opens only once the store has recorded that the purchase is opened', async () => {
    const recorded = vi.spyOn(store.purchases, 'open')
    onTestFinished(() => recorded.mockRestore())
    const errors: unknown[] = []
    const companion = open({ onError: (error) => errors.push(error) })
    const purchase = newId()
    await companion.fetch(link({ purchase, preload: '1' }, ownFrame, 'ada'))
    const gone = new Error('the store is gone')
    recorded.mockRejectedValueOnce(gone)
    const refused = await companion.fetch(link({ purchase }, ownFrame, 'ada'))
    expect([refused.status, errors]).toEqual([500, [gone]])
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(303)
    expect(recorded).toHaveBeenCalledTimes(2)
  })

  test('POST /launch can request a preloaded purchase, too', async () => {
    const companion = open()
    const answer = await companion.fetch(post('/launch', { params: gold, preload: true }, 'ada'))
    const { purchaseId } = (await answer.json()) as { purchaseId: string }
    expect((await answerTo(companion, purchaseId, 'ada')).openUntil).toBeDefined()
  })
})

// Promise: link/refused
describe('a refusal', () => {
  test('a refusal is a page in the shopper’s language that notifies the waiting page, and is returned by GET /purchases/:id', async () => {
    let sells = false
    const companion = open({
      createPurchase: () => {
        if (!sells) throw new PurchaseRefused('Sold <out>.')
        return { params: gold }
      },
    })
    const purchase = newId()
    const headers = { ...ownFrame, ...html, 'accept-language': 'de' }
    const response = await companion.fetch(link({ purchase }, headers, 'ada'))
    expect(response.status).toBe(403)
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${shopOrigin}`)
    expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    const page = await response.text()
    expect(page).toContain('<h1>Sold &#60;out&#62;.</h1>')
    expect(page).toContain(`href="?product_id=gold-100&#38;purchase=${purchase}"`)
    expect(page).toContain('>Erneut versuchen</a>')
    expect(page).toContain(`{"purchaseId":"${purchase}","hosts":["${shopOrigin}"]}`)
    const refused = { code: 'purchase_refused', message: 'Sold <out>.' }
    expect(await answerTo(companion, purchase, 'ada')).toMatchObject({ begun: false, refused })
    expect((await answerTo(companion, purchase, 'mallory')).refused).toBeUndefined()
    expect((await answerTo(companion, purchase)).refused).toBeUndefined()
    sells = true
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(303)
    const after = await answerTo(companion, purchase, 'ada')
    expect([after.begun, after.refused]).toEqual([true, undefined])
  })

  test('a refusal for lack of a session is returned without one; the answer of authorize is a link out of the frame', async () => {
    const answer = (): Response =>
      new Response(null, { status: 302, headers: { location: '/sign-in?back=1', 'set-cookie': 'back=1' } })
    const companion = open({ authorize: answer })
    const purchase = newId()
    const framed = await companion.fetch(link({ purchase }, { ...ownFrame, ...html }))
    expect([framed.status, framed.headers.get('location')]).toEqual([401, null])
    expect(framed.headers.getSetCookie()).toEqual(['back=1'])
    expect(await framed.text()).toContain(
      `<a href="${shopOrigin}/sign-in?back=1" rel="noreferrer" target="_top">`,
    )
    expect((await answerTo(companion, purchase)).refused).toMatchObject({ code: 'unauthorized' })
    const windowed = await companion.fetch(link({ purchase }, { ...navigation('same-origin'), ...html }))
    expect([windowed.status, windowed.headers.get('location')]).toEqual([302, '/sign-in?back=1'])
  })

  test('a purchase for which no token can be created does not begin, and its page learns why', async () => {
    const unreachable = service.client({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const companion = open({ client: unreachable, onError: () => {} })
    const purchase = newId()
    expect((await companion.fetch(link({ purchase }, ownFrame, 'ada'))).status).toBe(503)
    expect((await companion.fetch(post('/launch', { params: gold }, 'ada'))).status).toBe(503)
    expect(await rows()).toEqual([])
    const refused = { code: 'service_unavailable' }
    expect(await answerTo(companion, purchase, 'ada')).toMatchObject({ begun: false, refused })
  })

  test('a refusal that another site caused is not stored', async () => {
    const companion = open()
    const purchase = newId()
    await companion.fetch(link({ purchase }, navigation('cross-site'), 'ada'))
    expect((await answerTo(companion, purchase, 'ada')).refused).toBeUndefined()
  })

  test('the page of a refusal offers no way to begin a purchase by an id that another site has chosen', async () => {
    const companion = open({ rateLimit: { perShopper: 1 } })
    const follow = async (query: Headers): Promise<[number, boolean]> => {
      const request = link(query, { ...navigation('cross-site'), ...html }, 'ada')
      const response = await companion.fetch(request)
      return [response.status, (await response.text()).includes('>Try again</a>')]
    }
    expect(await follow({ purchase: newId() })).toEqual([403, false])
    expect(await follow({ purchase: newId() })).toEqual([429, false])
    expect(await follow({})).toEqual([429, true])
  })

  test('a store whose functions throw does not keep a refusal from its page', async () => {
    const set = (): never => {
      throw new Error('the store is broken')
    }
    const companion = open({ store: { ...store, set } })
    expect((await companion.fetch(link({ purchase: newId() }, ownFrame))).status).toBe(401)
  })

  test('a damaged link from elsewhere is refused only once its shopper has signed in', async () => {
    const companion = open()
    const damaged = { purchase: 'id' }
    expect((await companion.fetch(link(damaged, navigation('none')))).status).toBe(401)
    expect((await companion.fetch(link(damaged, navigation('none'), 'ada'))).status).toBe(400)
    expect((await companion.fetch(link(damaged, navigation('cross-site', 'iframe'), 'ada'))).status).toBe(403)
  })

  test('a refused ticket makes its page request a new one', async () => {
    let time = Date.now()
    const companion = open({ now: () => time })
    const granted = await companion.fetch(post('/launch', { params: gold }, 'ada'))
    const { launchUrl, purchaseId } = (await granted.json()) as { launchUrl: string; purchaseId: string }
    const ticket = (): Request => new Request(launchUrl, { headers: { ...ownFrame, ...html } })
    expect((await companion.fetch(ticket())).status).toBe(303)
    await store.purchases.claim(purchaseId, 'order-1')
    expect((await companion.fetch(ticket())).status).toBe(409)
    time += 60_001
    const page = await (await companion.fetch(ticket())).text()
    expect(page).toContain(`{"purchaseId":"${purchaseId}","hosts":["${shopOrigin}"]}`)
  })
})
