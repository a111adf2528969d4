// Promise: launch/other-origin
/** A companion on a different origin from the shop's pages sells in every mode, and another site cannot send shoppers to its own ticket. */
import { createServer, type RequestListener } from 'node:http'
import { full } from '../../scripts/proof.ts'
import { hostPage, notes } from '../fixtures/hostPage.ts'
import { listen } from '../fixtures/listen.ts'
import { product } from '../fixtures/pairwise.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost } from '../fixtures/widgetHost.ts'
import type { Tab } from './driver.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

/** The companion's location, the transport of the shopper's session, and the page's referrer policy. */
const places = {
  'on another site, with a session in headers': {
    host: '127.0.0.1',
    headers: `() => ({ authorization: 'Bearer ada' })`,
    policy: 'no-referrer',
  },
  'on another port, with a session cookie': {
    host: 'localhost',
    headers: 'undefined',
    policy: 'strict-origin-when-cross-origin',
  },
} as const

type Row = { where: keyof typeof places; mode: Mode; pageToken: boolean }
const site = 'on another site, with a session in headers'
const port = 'on another port, with a session cookie'
const every: readonly Row[] = product({
  where: [site, port],
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  pageToken: [false, true],
} as const)
/** Covers each place, a frame, a window and this tab, and both token sources. */
const some: readonly Row[] = [
  { where: site, mode: 'iframe', pageToken: false },
  { where: site, mode: 'redirect', pageToken: true },
  { where: port, mode: 'popup', pageToken: false },
]

for (const { where, mode, pageToken } of full ? every : some) {
  const { host, headers, policy } = places[where]
  test(`a companion ${where}, sells in mode ${mode}, ${pageToken ? 'with a token' : 'with a ticket'}`, {
    // Engines differ in what they send cross-site.
    tag: where === site && mode === 'iframe' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    let companion: RequestListener = () => {}
    const elsewhere = await listen(
      createServer((request, response) => companion(request, response)),
      host,
    )
    try {
      companion = service.companion(elsewhere.url)
      const states: string[] = []
      const returnUrl = `${merchant.url}/return.html`
      service.sell({
        allowedOrigins: [merchant.url],
        authorize: ({ headers }) =>
          headers.get('authorization') === 'Bearer ada' || headers.get('cookie')?.includes('shopper=ada')
            ? { customId: 'ada' }
            : null,
        createPurchase: () => ({
          params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' },
          returnUrl,
          failReturnUrl: returnUrl,
        }),
        onOrder: ({ order, purchase }) => void states.push(`${order.type} ${purchase.state}`),
      })
      const source = `companion: '${elsewhere.url}/companion', headers: ${headers}`
      const container = mode === 'iframe' ? `container: '#slot',` : ''
      merchant.page('/', {
        ...hostPage({
          options: `{ ${source}, mode: '${mode}', ${container} pageToken: ${pageToken} }`,
          before: `document.cookie = 'shopper=ada; path=/'`,
          headers: { 'referrer-policy': policy },
        }),
      })
      merchant.page('/return.html', {
        body: `<h1>Welcome back</h1><script>${notes}</script><script type="module">
              import { announceReturn } from '/loader/return.js'
              announceReturn({ ${source} }).result.then((result) => note('return page says ' + sayResult(result)))
            </script>`,
      })
      const tab = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      await tab.page.click({ button: 'Buy' })
      const widget = await widgetIn(shopper, tab, mode, 'self')
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
      await pay(widget, cards.success)
      await leave(shopper, widget, { declined: false })
      await expect
        .poll(() => merchant.reports().filter((entry) => entry.startsWith('return page says')))
        .toEqual([`return page says success verified ${(await service.orders())[0]?.id}`])
      await expect.poll(() => states).toContain('order_complete matched')
    } finally {
      await elsewhere.close()
    }
  })
}

/** Ways in which another site's page may navigate a shopper. */
const ways = {
  'a frame that hides where it is': (to: string) =>
    `<iframe src="${to}" referrerpolicy="no-referrer" width="400" height="600"></iframe>`,
  'a link that hides where it is': (to: string) => `<a href="${to}" rel="noreferrer">Go</a>`,
} as const

for (const [way, html] of Object.entries(ways)) {
  test(`another person’s ticket opens nothing in ${way} of another site`, async ({ shopper, merchant }) => {
    const response = await fetch(`${merchant.url}/companion/launch`, {
      method: 'POST',
      headers: { origin: merchant.url, 'content-type': 'application/json' },
      body: '{}',
    })
    const { launchUrl } = (await response.json()) as { launchUrl: string }
    const evil = await startWidgetHost((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><html lang="en"><title>Elsewhere</title>${html(launchUrl)}</html>`)
    })
    const asked = (): number =>
      merchant.requests().filter(({ url }) => url.startsWith('/companion/launch?')).length
    try {
      const tab = await shopper.visit(evil.url)
      if (way.includes('link')) await tab.page.click({ link: 'Go' })
      await expect.poll(asked).toBe(1)
      // A page with a sentence, or JSON if the request did not accept a page; a redirect has no body.
      await expect.poll(() => merchant.answers().at(-1)).toMatch(/<h1>|"forbidden"/)
      if (!way.includes('frame')) {
        const at = async (): Promise<Tab | undefined> => {
          for (const each of await shopper.tabs())
            if ((await each.url()).startsWith(`${merchant.url}/companion/launch`)) return each
          return undefined
        }
        await expect.poll(at, 'the page that refuses').toBeDefined()
      }
      // The ticket is still valid: the page that requested it can open it.
      merchant.page('/', { body: `<a href="${launchUrl}">Buy</a>` })
      const own = await shopper.visit(merchant.url)
      await own.page.click({ link: 'Buy' })
      await expect.poll(() => own.page.text({ label: 'Email' })).not.toBeNull()
    } finally {
      await evil.close()
    }
  })
}
