// Promise: link/allowed-fields
/** Links that anybody may write, and machines that follow them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { orderFields } from '../../src/client/wire.ts'
import { type Companion, memoryStore, type PurchaseClient, type Store } from '../../src/index.ts'
import { companionOf, get, mount, shopOrigin } from '../support/companion.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let store: Store
let client: PurchaseClient
let companion: Companion
let minted: number
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => {
  service.reset()
  minted = 0
  store = memoryStore()
  client = service.client({
    fetch(input, init) {
      if (String(input).endsWith('/access_token')) minted++
      return fetch(input, init)
    },
  })
  companion = companionOf(client, { store, rateLimit: { perShopper: 1e9 } })
})
afterAll(() => service.close())

const rows = async (): Promise<number> =>
  (await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 })).length

const followed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  referer: 'https://evil.example/',
}
const chosen = ['product_id', 'locale', 'redirect_page'] as const
const LINKS = 500

test('of another site’s link with every field of an order, three parameters reach the widget', async () => {
  const evil = [...orderFields, 'accessToken', 'partner_data', 'purchaseId', 'utm_medium', '__proto__']
  let passed = 0
  for (let link = 0; link < LINKS; link++) {
    // Each in another order and spelling, and what is chosen among the rest.
    const names = evil.filter((name) => !chosen.some((one) => one === name))
    const spelt = names.map((name, at) => ((link + at) % 3 === 0 ? name.toUpperCase() : name))
    const rotated = [...spelt.slice(link % spelt.length), ...spelt.slice(0, link % spelt.length)]
    const query = new URLSearchParams(rotated.map((name): [string, string] => [name, `evil-${link}`]))
    const wanted = {
      product_id: `p-${link}`,
      locale: link % 2 ? 'de' : 'fr',
      redirect_page: link % 3 ? 'self' : 'new',
    }
    for (const name of chosen) query.append(name, wanted[name])
    const response = await companion.fetch(get(`/launch?${query}`, `shopper-${link}`, followed))
    expect(response.status).toBe(303)
    const widget = new URL(response.headers.get('location') ?? '')
    const { accessToken, custom_id, redirect_url, fail_redirect_url, ...fromLink } = Object.fromEntries(
      widget.searchParams,
    )
    expect(fromLink).toEqual(wanted)
    expect(custom_id).toBe(`shopper-${link}`)
    expect([accessToken, redirect_url, fail_redirect_url].join(' ')).not.toContain('evil')
    expect(widget.search).not.toContain('evil')
    passed++
  }
  recordFigure(
    'links of another site of which only the three listed parameters reach the widget',
    `${passed} of ${LINKS}`,
  )
})

const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }
const machines: [string, RequestInit, boolean][] = [
  ...['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip'].map(
    (value): [string, RequestInit, boolean] => [
      `Sec-Purpose: ${value}`,
      { headers: { ...browser, 'sec-purpose': value } },
      true,
    ],
  ),
  ['Purpose: prefetch', { headers: { ...browser, purpose: 'prefetch' } }, true],
  ['X-Moz: prefetch', { headers: { ...browser, 'x-moz': 'prefetch' } }, true],
  ...['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'].map((method): [string, RequestInit, boolean] => [
    method,
    { method, headers: browser },
    true,
  ]),
  ...['iframe', 'frame', 'embed', 'object', 'fencedframe'].map((dest): [string, RequestInit, boolean] => [
    `a cross-site ${dest}`,
    { headers: { ...browser, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': dest } },
    true,
  ]),
  ...['image', 'script', 'style', 'empty', 'video'].map((dest): [string, RequestInit, boolean] => [
    `a cross-site ${dest}`,
    { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': dest } },
    true,
  ]),
  [
    'a script of another site',
    { headers: { origin: 'https://evil.example', 'sec-fetch-mode': 'cors' } },
    true,
  ],
  ...[
    'Slackbot-LinkExpanding 1.0',
    'facebookexternalhit/1.1',
    'Twitterbot/1.0',
    'WhatsApp/2.23',
    'Googlebot/2.1',
    '',
  ].map((agent): [string, RequestInit, boolean] => [
    `a link preview, ${agent}`,
    { headers: { 'user-agent': agent } },
    false,
  ]),
]

test.each(machines)('nothing is begun for %s', async (_, { method = 'GET', headers }, hasSession) => {
  // A shop that gives everybody who has none a new session.
  const shop = companionOf(client, { store, authorize: () => ({ customId: crypto.randomUUID() }) })
  const cookie: Record<string, string> = hasSession ? { cookie: 'shopper=ada' } : {}
  const request = new Request(`${mount}/launch?product_id=gold-100`, {
    method,
    headers: { ...(headers as Record<string, string>), ...cookie },
  })
  const { status } = await shop.fetch(request)
  expect(status).toBeGreaterThanOrEqual(400)
  expect([minted, await rows()]).toEqual([0, 0])
})

test('a purchase is begun for a shopper who follows the link, with a session or for the first time', async () => {
  const shop = companionOf(client, { store, authorize: () => ({ customId: crypto.randomUUID() }) })
  const link = `${mount}/launch?product_id=gold-100`
  const people: Record<string, string>[] = [
    browser,
    followed,
    { cookie: 'theme=dark' },
    { authorization: 'Bearer app' },
    { ...browser, 'sec-fetch-site': 'same-origin', referer: `${shopOrigin}/shop` },
  ]
  for (const headers of people) expect((await shop.fetch(new Request(link, { headers }))).status).toBe(303)
  expect(await rows()).toBe(people.length)
  recordFigure('purchases begun for prefetchers, link previews, HEAD and embeds', `0 of ${machines.length}`)
})
