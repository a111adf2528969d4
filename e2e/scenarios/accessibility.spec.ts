// Promise: surface/accessible
/**
 * Everything that the loader shows, in every state and look, passes axe and has a live region with its sentence. The companion's
 * own pages pass axe too.
 */

import { PurchaseRefused } from '@purchase-widget/server'
import { languages } from '../../packages/loader/src/languages.ts'
import { full } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Interceptor, Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost } from '../fixtures/widgetHost.ts'
import { expectNoViolations } from './axe.ts'
import type { Shopper, ShopperOptions, Tab, View } from './driver.ts'
import { noticesOn } from './failureReport.ts'
import { otherTab } from './widgetPage.ts'

const { ar: arabic, en: english } = languages

const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

interface Look {
  options: ShopperOptions
  rightToLeft?: boolean
  /** Only the states that differ most from the default look. */
  sample?: boolean
  tag?: string
}

const looks: Record<string, Look> = {
  'phone, dark, right to left': { options: { viewport: phone, colorScheme: 'dark' }, rightToLeft: true },
  'desktop, light': { options: { viewport: desktop, colorScheme: 'light' }, sample: !full },
  ...(full && {
    'desktop, dark': { options: { viewport: desktop, colorScheme: 'dark' } },
    'phone, light': { options: { viewport: phone, colorScheme: 'light' } },
    // The other engines cannot emulate forced colours.
    'forced colours': { options: { viewport: desktop, forcedColors: true }, tag: '@chromium' },
  }),
}

type Surface = 'iframe' | 'modal' | 'popup' | 'redirect'
type Sentence = keyof typeof english

const paid = { id: 'o1', type: 'order_complete', decline: null }

interface State {
  surfaces: readonly Surface[]
  /** The shopper sees one of these. */
  sentences: readonly Sentence[]
  /** The behaviour of the merchant's server. */
  server?: Interceptor
  /** The widget does not respond. */
  silent?: boolean
  /** Closes the widget once it has loaded, and reads the page's line. */
  closes?: boolean
  /** Reads the line of the page behind the window. */
  behind?: boolean
}

/** The full text: `failed` is followed by the statement that nothing was charged. */
const textOf = (name: Sentence, strings: Partial<typeof english>): string =>
  `${strings[name] ?? ''}${name === 'failed' ? ` ${strings.notCharged ?? ''}` : ''}`

const never = (): Promise<boolean> => new Promise(() => {})
const on =
  (path: string, act: Interceptor): Interceptor =>
  (request, response) =>
    `${request.url}`.startsWith(`/companion/${path}`) ? act(request, response) : false
const json =
  (status: number, body: object): Interceptor =>
  (_request, response) =>
    Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)))

const frames = ['iframe', 'modal'] as const
const all = ['iframe', 'modal', 'popup', 'redirect'] as const
/** The page shows the same line, whichever surface was closed. */
const closed: Pick<State, 'closes' | 'surfaces'> = {
  closes: true,
  surfaces: full ? ['modal', 'popup'] : ['modal'],
}
/** For states that look the same in a frame and a dialog, and on this page and in a window. */
const inTest = full ? all : (['modal', 'popup'] as const)

const states: Record<string, State> = {
  // The first sentence shows for 5 s, and a slow machine may check later.
  waiting: { surfaces: inTest, sentences: ['loading', 'connecting'], server: on('launch', never) },
  failed: { surfaces: inTest, sentences: ['failed'], server: on('launch', json(500, {})) },
  'way out': { surfaces: full ? frames : ['modal'], sentences: ['failed'], silent: true },
  'in another window': { surfaces: ['popup'], sentences: ['inOtherWindow'], behind: true },
  confirming: { ...closed, sentences: ['confirming'], server: on('purchases', never) },
  'not confirmed': { ...closed, sentences: ['notConfirmed'], server: on('purchases', json(500, {})) },
  'paid, under review': {
    ...closed,
    sentences: ['underReview'],
    server: on('purchases', json(200, { status: 'complete', state: 'mismatched', fresh: true, order: paid })),
  },
}

/** States with a button, and over the page. */
const sampledStates: ReadonlySet<string> = new Set(['failed', 'paid, under review'])

let silent: WidgetHost
test.beforeEach(async () => {
  silent = await startWidgetHost(() => {})
})
test.afterEach(() => silent.close())

for (const [look, { options: shopperOptions, rightToLeft = false, sample, tag }] of Object.entries(looks)) {
  test.describe(look, { tag: tag ? [tag] : oneEngine }, () => {
    test.use({ shopperOptions })

    for (const [name, state] of Object.entries(states)) {
      if (sample && !sampledStates.has(name)) continue
      // A shopper for each: what one has opened before changes what the page says.
      for (const surface of state.surfaces)
        test(`${name}, ${surface}, passes axe`, async ({ shopper, merchant }) => {
          const strings = rightToLeft ? arabic : english
          servePage(merchant, surface, state, rightToLeft)
          const host = await visitShop(shopper, merchant)
          await expectLook(host, shopperOptions)
          await host.page.click({ button: 'Buy' })
          const place = await placeOf(shopper, merchant, host, surface, state)
          const sentences = state.sentences.map((name) => textOf(name, strings))
          await expect.poll(() => sentenceIn(place.page, sentences)).toBe('status')
          if (rightToLeft) expect(await directionOf(place.page), 'direction').toBe('rtl')
          await expectNoViolations(shopper, place, `${surface}, ${name}, ${look}`)
        })
    }

    test('the loaded widget and its recovery actions pass axe', async ({ shopper, merchant }) => {
      const strings = rightToLeft ? arabic : english
      for (const surface of full ? frames : (['modal'] as const)) {
        const loaded: State = { surfaces: frames, sentences: ['trouble'] }
        servePage(merchant, surface, loaded, rightToLeft)
        const host = await visitShop(shopper, merchant)
        await host.page.click({ button: 'Buy' })
        const ways = async (): Promise<string[]> => (await noticesOn(host.page)).flatMap(({ ways }) => ways)
        await expect.poll(ways).toContain(strings.trouble)
        await expectNoViolations(shopper, host, `${surface}, loaded, ${look}`)
        await host.page.click({ button: `${strings.trouble}` })
        await expect.poll(ways).toContain(strings.openInNewWindow)
        await expectNoViolations(shopper, host, `${surface}, having trouble, ${look}`)
      }
    })

    test("the companion's own pages pass axe", async ({ shopper, merchant, service }) => {
      service.sell({
        returns: false,
        createPurchase({ params }) {
          if (params.product_id === 'sold-out') throw new PurchaseRefused('This one is sold out.')
          return { params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }
        },
      })
      const pages: Record<string, { path: string; without?: string[] }> = {
        'return page': { path: '/companion/return/AAAAAAAAAAAAAAAAAAAAAA' },
        'return page after a decline': { path: '/companion/return/AAAAAAAAAAAAAAAAAAAAAA/failed' },
        // The companion does not know the language of the merchant's own text.
        'refused launch': { path: '/companion/launch?product_id=sold-out', without: ['html-has-lang'] },
      }
      for (const [name, { path, without = [] }] of Object.entries(pages)) {
        const tab = await shopper.visit(merchant.url + path)
        await expectLook(tab, shopperOptions)
        expect(await tab.page.count('main')).toBe(1)
        await expectNoViolations(shopper, tab, `${name}, ${look}`, without)
      }
    })
  })
}

function servePage(
  merchant: Merchant,
  surface: Surface,
  { server, silent: isSilent = false, closes }: State,
  rightToLeft: boolean,
): void {
  const container = surface === 'iframe' ? `container: '#slot',` : ''
  const source = isSilent
    ? `widgetUrl: '${silent.url}', accessToken: 'token', loadTimeout: 500`
    : `companion: '/companion', loadTimeout: 20000`
  const words = rightToLeft ? `, locale: 'ar', strings: (await import('/loader/locales/ar.js')).strings` : ''
  merchant.page('/', hostPage({ options: `{ mode: '${surface}', ${container} ${source}${words} }` }))
  if (server && !closes) merchant.intercept(server)
}

/** Opens the shop, and waits until its script has loaded the strings of another language. */
async function visitShop(shopper: Shopper, merchant: Merchant): Promise<Tab> {
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => host.page.evaluate(() => 'widget' in window), 'the widget').toBe(true)
  return host
}

/** Returns the page or window that shows the state. */
async function placeOf(
  shopper: Shopper,
  merchant: Merchant,
  host: Tab,
  surface: Surface,
  { closes, behind, server }: State,
): Promise<Tab> {
  const place = surface === 'popup' ? await otherTab(shopper, host) : host
  if (!closes) return behind ? host : place
  await expect.poll(() => statusOf(host.page), 'loaded').toBe('loaded')
  // Not earlier: the page asks the server whether a window is open.
  if (server) merchant.intercept(server)
  await host.page.evaluate(() => (window as unknown as { widget: { close(): void } }).widget.close())
  return host
}

const statusOf = (page: View): Promise<string> =>
  page.evaluate(
    () =>
      (window as unknown as { widget: { getSnapshot(): { status: string } } }).widget.getSnapshot().status,
  )

/** Returns the role of the region with one of these sentences; null while there is none. */
const sentenceIn = (page: View, sentences: readonly string[]): Promise<string | null> =>
  page
    .evaluate((sentences) => {
      const roots: (Document | ShadowRoot)[] = [document]
      for (const root of roots)
        for (const element of root.querySelectorAll('*')) {
          if (element.shadowRoot) roots.push(element.shadowRoot)
          if (element.localName === 'p' && sentences.includes(element.textContent))
            return element.closest('[role]')?.role ?? null
        }
      return null
    }, sentences)
    .catch(() => null)

/** The text direction of the loader's UI. */
const directionOf = (page: View): Promise<string | undefined> =>
  page.evaluate(() => [...document.querySelectorAll('div')].find(({ shadowRoot }) => shadowRoot)?.dir)

/** Checks that the browser emulates the requested look. */
async function expectLook({ page }: Tab, { colorScheme, forcedColors }: ShopperOptions): Promise<void> {
  const [dark, forced] = await page.evaluate(() => [
    matchMedia('(prefers-color-scheme: dark)').matches,
    matchMedia('(forced-colors: active)').matches,
  ])
  expect(dark, 'dark').toBe(colorScheme === 'dark')
  expect(forced, 'forced colours').toBe(forcedColors === true)
}
