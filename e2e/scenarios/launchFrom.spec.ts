// Promise: link/own-pages
// Promise: link/navigations-only
/**
 * The link as browsers open it from pages of the shop, of another origin that the shop has named, and of other sites: who reaches the widget,
 * and how many purchases that creates. The server's tests cover the same rules for every combination of headers.
 */
import { createServer } from 'node:http'
import { memoryStore, type Purchase } from '@purchase-widget/server'
import { full, recordFigure } from '../../scripts/proof.ts'
import {
  button,
  documentOf,
  form,
  frame,
  image,
  link,
  type PageOf,
  prefetch,
  script,
  speculation,
} from '../fixtures/launchPages.ts'
import { listen } from '../fixtures/listen.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { EngineName, Shopper } from './driver.ts'

/** The host of each page. The merchant is on another port of localhost: the same site, but another origin. */
const hosts = {
  'the shop': null,
  'another origin of the shop': 'localhost',
  'another site of the shop': '127.0.0.1',
  'another site': '127.0.0.1',
} as const

interface Case {
  page: PageOf
  /** What the shopper clicks; nothing where the page opens the link by itself. */
  clicks?: 'link' | 'button'
  /** Added to the link's query. */
  query?: string
  /** The page hides its address. */
  isSilent?: true
  expected: 'widget' | 'refusal' | 'refusal, then widget'
  /** The engines that request the link in this way. */
  only?: readonly EngineName[]
}

const go = (act: string): Pick<Case, 'page' | 'clicks'> => ({
  page: button((address) => act.replace('address', address)),
  clicks: 'button',
})
const alone = (act: string): Pick<Case, 'page'> => ({
  page: script((address) => act.replace('address', address)),
})
const chosenId = 'AAAAAAAAAAAAAAAAAAAAAA'
const early = { clicks: 'link', expected: 'refusal, then widget' } as const
const prefetching: Pick<Case, 'only'> = { only: ['chromium', 'firefox'] }
const speculating: Pick<Case, 'only'> = { only: ['chromium'] }
const decorated = 'utm_source=mail&quote_amount=0.01&address=0xdead&custom_id=eve'

const cases: Record<keyof typeof hosts, Record<string, Case>> = {
  'the shop': {
    'a link in a review': { page: link, clicks: 'link', query: decorated, expected: 'widget' },
    'a link in a review that names a purchase': {
      page: link,
      clicks: 'link',
      query: `purchase=${chosenId}&surface=popup&${decorated}`,
      expected: 'widget',
    },
    'a form that gets': { page: form('get'), clicks: 'button', expected: 'widget' },
    'a form that posts': { page: form('post'), clicks: 'button', expected: 'refusal' },
    'a script that navigates': { ...alone('location.href = address'), expected: 'widget' },
    'a script that opens a window': { ...go('window.open(address)'), expected: 'widget' },
    'a request of a script': { ...alone('fetch(address)'), expected: 'refusal' },
    'a frame': { page: frame, expected: 'widget' },
    'a prefetch': { page: prefetch, ...early, ...prefetching },
    'a rule that prefetches': { page: speculation('prefetch'), ...early, ...speculating },
    'a rule that prerenders': { page: speculation('prerender'), ...early, ...speculating },
  },
  'another origin of the shop': {
    'a link': { page: link, clicks: 'link', expected: 'widget' },
    'a link without Referer': { page: link, clicks: 'link', isSilent: true, expected: 'widget' },
    'a link that names a purchase': {
      page: link,
      clicks: 'link',
      query: `purchase=${chosenId}`,
      expected: 'refusal',
    },
    'a frame': { page: frame, expected: 'widget' },
    'a frame without Referer': { page: frame, isSilent: true, expected: 'widget' },
  },
  'another site of the shop': {
    'a link': { page: link, clicks: 'link', expected: 'widget' },
    'a link without Referer': { page: link, clicks: 'link', isSilent: true, expected: 'widget' },
    'a frame': { page: frame, expected: 'refusal' },
  },
  'another site': {
    'a link': {
      page: link,
      clicks: 'link',
      query: `surface=popup&preload=1&${decorated}`,
      expected: 'widget',
    },
    'a link that names a purchase': {
      page: link,
      clicks: 'link',
      query: `purchase=${chosenId}`,
      expected: 'refusal',
    },
    'a form that gets': { page: form('get'), clicks: 'button', expected: 'widget' },
    'a form that posts': { page: form('post'), clicks: 'button', expected: 'refusal' },
    'a frame': { page: frame, expected: 'refusal' },
    'a script that navigates': { ...alone('location.href = address'), expected: 'widget' },
    'a script that opens a window': { ...go('window.open(address)'), expected: 'widget' },
    'a request of a script': { ...alone(`fetch(address, { mode: 'no-cors' })`), expected: 'refusal' },
    'an image': { page: image, expected: 'refusal' },
    'a prefetch': { page: prefetch, ...early, ...prefetching },
    'a rule that prefetches': { page: speculation('prefetch'), ...early, ...speculating },
  },
}

/** Engines differ in what they report of these. */
const inEveryEngine = [
  'the shop, a link in a review that names a purchase',
  'another site, a link that names a purchase',
  'another site, a frame',
]
const inTest = [
  ...inEveryEngine,
  'the shop, a request of a script',
  'the shop, a rule that prerenders',
  'another origin of the shop, a frame without Referer',
  'another site of the shop, a frame',
  'another site, a form that posts',
  'another site, a script that opens a window',
]

const rows = Object.entries(cases).flatMap(([on, of]) =>
  Object.entries(of).map(([name, each]) => [on as keyof typeof hosts, name, each] as const),
)

for (const [on, name, { page, clicks, query = '', isSilent, expected, only }] of rows) {
  const title = `${on}, ${name}`
  if (!full && !inTest.includes(title)) continue
  test(`the link from ${title}: ${expected}`, {
    tag: inEveryEngine.includes(title) ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    test.skip(only?.includes(shopper.engine) === false, 'This engine has no such request.')
    const store = memoryStore()
    const asked: object[] = []
    const from = await serve(merchant, on)
    service.sell({
      store,
      ...(on.endsWith('of the shop') && { allowedOrigins: [merchant.url, from.url] }),
      createPurchase({ params }) {
        asked.push(params)
        return { params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }
      },
    })
    const purchases = async (): Promise<Purchase[]> =>
      (await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100 })).map(
        ({ purchase }) => purchase,
      )
    try {
      const address = `${merchant.url}/companion/launch?product_id=gold-100&${query}`
      from.page(documentOf(page(address)), isSilent ? { 'referrer-policy': 'no-referrer' } : {})
      const tab = await shopper.visit(from.address)
      const isEarly = expected === 'refusal, then widget'
      if (clicks && !isEarly) await tab.page.click({ [clicks]: 'Go' } as { link: string })
      if (expected !== 'widget') await expect.poll(() => merchant.answers().at(-1)).toMatch(/<h1>|"error"/)
      if (expected !== 'widget') expect(await purchases()).toEqual([])
      if (isEarly) await tab.page.click({ link: 'Go' })
      if (expected === 'refusal') {
        expect(await showsWidget(shopper)).toBe(false)
        expect(asked).toEqual([])
      } else {
        await expect.poll(() => showsWidget(shopper), 'the widget').toBe(true)
        // What anybody may choose, and nothing else.
        expect(asked).toEqual([{ product_id: 'gold-100' }])
        const [purchase, ...others] = await purchases()
        expect(others).toEqual([])
        expect(purchase?.shopper).toMatchObject({ customId: 'shopper-1' })
        // Only together with a purchase does the page say where the link opens.
        const isNamed = query.includes('purchase=')
        expect(purchase).toMatchObject({ surface: isNamed ? 'popup' : 'launch', preload: false })
        expect(purchase?.id === chosenId).toBe(isNamed)
        expect(purchase?.openedBy).toBe(openedBy(on, clicks, shopper.engine))
      }
      recordFigure(`link from ${title}, ${shopper.engine}`, `${expected}, ${asked.length} purchases`)
    } finally {
      await from.close()
    }
  })
}

/** Links of other sites must not use up what the shopper has opened; WebKit does not say whether a click began the navigation. */
function openedBy(on: keyof typeof hosts, clicks: Case['clicks'], engine: EngineName): Purchase['openedBy'] {
  if (on === 'the shop') return 'shopper'
  if (on === 'another origin of the shop') return 'link'
  return clicks && engine !== 'webkit' ? 'link' : 'other_site'
}

interface From {
  url: string
  address: string
  page(html: string, headers: Record<string, string>): void
  close(): Promise<void>
}

/** Serves the page on the shop's own origin, or on another one. */
async function serve(merchant: Merchant, on: keyof typeof hosts): Promise<From> {
  let page: { html: string; headers: Record<string, string> } = { html: '', headers: {} }
  const set: From['page'] = (html, headers) => {
    page = { html, headers }
  }
  const host = hosts[on]
  if (host === null) {
    const setOwn: From['page'] = (body, headers) => merchant.page('/from', { body, headers })
    return { url: merchant.url, address: `${merchant.url}/from`, page: setOwn, close: async () => {} }
  }
  const other = await listen(
    createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', ...page.headers }).end(page.html),
    ),
    host,
  )
  return { ...other, address: `${other.url}/`, page: set }
}

/** Whether the widget is in a tab, a window or a frame. */
async function showsWidget(shopper: Shopper): Promise<boolean> {
  for (const { page, frame } of await shopper.tabs()) {
    const isFramed = (await page.count('iframe').catch(() => 0)) > 0
    const view = isFramed ? frame('iframe') : page
    if ((await view.text({ label: 'Email' }).catch(() => null)) !== null) return true
  }
  return false
}
