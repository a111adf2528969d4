// Promise: return/other-windows
/**
 * Only its own return ends a purchase: a return from the widget's own window that names this purchase. Anything else that arrives on
 * the merchant's origin ends, closes and navigates nothing, and nothing appears as bought.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { full, proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { type Mode, widgetIn } from './widgetPage.ts'

const foreignId = 'AAAAAAAAAAAAAAAAAAAAAA'

type Way =
  | 'a tab from another site'
  | "a foreign frame of the shop's page"
  | 'a request of a script on the page'

interface Attempt {
  address: (page: { shop: string; id: string }) => string
  ways: readonly Way[]
}

const everyWay: readonly Way[] = [
  'a tab from another site',
  "a foreign frame of the shop's page",
  'a request of a script on the page',
]

/** Actions that an attacker could trigger in the shopper's browser while the widget is open. `id` is this purchase's. */
const attempts: Record<string, Attempt> = {
  "another purchase's return page": {
    address: ({ shop }) => `${shop}/companion/return/${foreignId}`,
    ways: ['a tab from another site'],
  },
  'a failed one': {
    address: ({ shop }) => `${shop}/companion/return/${foreignId}/failed`,
    ways: ['a tab from another site'],
  },
  'an address that claims an order': {
    address: ({ shop }) => `${shop}/return.html?purchase=${foreignId}&type=order_complete&order_id=forged`,
    ways: ['a tab from another site', "a foreign frame of the shop's page"],
  },
  "this purchase's return page": {
    address: ({ shop, id }) => `${shop}/companion/return/${id}`,
    ways: everyWay,
  },
  "this purchase's return address, replayed": {
    address: ({ shop, id }) => `${shop}/return.html?purchase=${id}&type=order_complete`,
    ways: ['a request of a script on the page', 'a tab from another site'],
  },
}

const modes: readonly Mode[] = ['iframe', 'popup']
for (const mode of modes) {
  for (const [name, { address, ways }] of Object.entries(attempts)) {
    for (const way of ways) {
      // The address most like a genuine return, opened in the most widely available way. The loader's own tests cover the others.
      const isSample = name === "this purchase's return page" && way === 'a tab from another site'
      const isFrame = name === 'an address that claims an order' && way === ways.at(-1) && mode === 'iframe'
      if (!full && !isSample && !isFrame) continue
      test(`${mode}: ${name}, in ${way}, ends nothing while the widget is open`, {
        tag: isSample && mode === 'iframe' ? [] : oneEngine,
      }, async ({ shopper, merchant, service }) => {
        const foreignHost = await startForeignHost()
        try {
          const { host, id, widget } = await openWidget(shopper, merchant, mode)
          const to = address({ shop: merchant.url, id })
          const visits = proofRuns(4, 1)
          const arrived = (): number =>
            merchant.requests().filter(({ url }) => `${merchant.url}${url}` === to).length
          for (let visit = 1; visit <= visits; visit++) {
            await visitBy(way, host, to, foreignHost.url)
            await expect.poll(arrived, 'arrived').toBe(visit)
          }
          // A return page continues after a second, and the page that received its message may query its server.
          await sleep(2_500)
          expectUntouched(merchant)
          expect(new URL(await host.url()).pathname).toBe('/')
          // A busy background tab may not respond immediately.
          await expect.poll(() => widget.text({ label: 'Email' }), 'the widget').not.toBeNull()
          expect(await service.orders()).toEqual([])
          recordFigure(
            `${mode}: ${name}, in ${way}, ${shopper.engine}`,
            `ended, closed or moved 0 of ${visits}`,
          )
        } finally {
          await foreignHost.close()
        }
      })
    }
  }
}

/** Another site, whose pages redirect to the address in their URL. */
const startForeignHost = (): Promise<WidgetHost> =>
  startWidgetHost((request, response) => {
    const target = new URL(request.url ?? '/', 'http://localhost').searchParams.get('to')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>Elsewhere</title><body><script>location.replace(${JSON.stringify(target)})</script>`,
    )
  })

async function visitBy(way: Way, host: Tab, to: string, foreignHost: string): Promise<void> {
  const from = `${foreignHost}/?to=${encodeURIComponent(to)}`
  if (way === 'a request of a script on the page')
    return host.page.evaluate(async (url) => void (await fetch(url)), to)
  if (way === "a foreign frame of the shop's page")
    return host.page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src, width: 200, height: 100 }))
    }, from)
  // Without an opener relation to this page, as from another site.
  await host.page.evaluate((url) => document.querySelector('#away')?.setAttribute('href', url), from)
  await host.page.click({ link: 'Away' })
}

async function openWidget(
  shopper: Shopper,
  merchant: Merchant,
  mode: Mode,
): Promise<{ host: Tab; id: string; widget: View }> {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'new' }`
  const extra = `<a id="away" target="_blank" rel="noopener" href="/">Away</a>`
  merchant.page('/', hostPage({ options, extra }))
  merchant.page('/return.html', returnPage)
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'Buy' })
  // Excludes a foreign frame on the page.
  const widget = mode === 'iframe' ? host.frame('iframe[title]') : await widgetIn(shopper, host, mode, 'new')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  const grant = merchant.answers().find((body) => body.includes('purchaseId'))
  const { purchaseId } = JSON.parse(`${grant}`) as { purchaseId: string }
  return { host, id: purchaseId, widget }
}

function expectUntouched(merchant: Merchant): void {
  const ended = merchant
    .reports()
    .filter((entry) => /^(result|return$|state (confirming|settled))/.test(entry))
  expect(ended).toEqual([])
}
