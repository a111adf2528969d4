// Promise: known/reload
/**
 * A page that is reloaded, evicted or killed after a payment: the tab's stored data survives, and `getPendingResult()` returns the
 * service's result. During the payment the page shows its progress by itself. The loader's own tests cover all other responses.
 */
import { full, proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, notes, returnPage, tellPending } from '../fixtures/hostPage.ts'
import { hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { cards, otherTab, pay, widgetIn } from './widgetPage.ts'

const modes = ['iframe', 'popup', 'redirect'] as const

interface Scene {
  shopper: Shopper
  merchant: Merchant
  service: Service
  mode: (typeof modes)[number]
  make: (shopper: Shopper, host: Tab, merchant: Merchant) => Promise<unknown>
}

const ways: Record<string, Scene['make']> = {
  'a reload': (_shopper, host) => host.reload(),
  // Only the tab's stored data survives.
  'an eviction': async (shopper, _host, merchant) => {
    await shopper.visit(`${merchant.url}/elsewhere`)
    await shopper.visit(merchant.url)
  },
  'a kill': async (_shopper, host) => expect(await host.kill()).toBe(true),
}

/** Each way once, with the surface that it can lose: the frame, the window, and the shop's own page. */
const isSample = (way: string, mode: Scene['mode']): boolean =>
  way === 'a reload' || mode === (way === 'a kill' ? 'iframe' : 'redirect')

for (const [way, make] of Object.entries(ways)) {
  for (const mode of modes) {
    // In mode redirect, only an address brings the shop back.
    if ((mode === 'redirect' && way !== 'an eviction') || (!full && !isSample(way, mode))) continue
    test(`${mode}: after ${way}, the page learns that the purchase is paid`, {
      tag: way === 'a kill' ? '@chromium' : way === 'a reload' && mode === 'iframe' ? [] : oneEngine,
    }, async ({ shopper, merchant, service }) => {
      const rounds = proofRuns(6, 1)
      test.setTimeout(120_000 * rounds)
      // Keeps a finished widget where it is.
      await service.switch({ redirectTarget: 'none' })
      merchant.page('/elsewhere', { body: '<title>Elsewhere</title><h1>Elsewhere</h1>' })
      merchant.page('/return.html', returnPage)
      for (let round = 0; round < rounds; round++)
        await expectKnown({ shopper, merchant, service, mode, make })
      recordFigure(`after ${way}, ${mode}, ${shopper.engine}`, `right ${rounds} of ${rounds}`)
    })
  }
}

async function expectKnown({ shopper, merchant, service, mode, make }: Scene): Promise<void> {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'self' }`
  merchant.page('/', hostPage({ options, before: tellPending }))
  const pending = (): string[] => merchant.reports().filter((entry) => entry.startsWith('pending'))
  const earlier = pending().length
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => pending().length, 'the first visit').toBe(earlier + 1)
  const orders = (await service.orders()).length
  await host.page.click({ button: 'Buy' })
  const widget = await widgetIn(shopper, host, mode, 'self')
  await pay(widget, cards.success)
  await expect.poll(async () => (await service.orders()).length).toBe(orders + 1)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  await make(shopper, host, merchant)
  const [order] = await service.orders()
  await expect.poll(() => pending().at(earlier + 1)).toBe(`pending success verified ${order?.id}`)
  if (mode === 'popup') await (await otherTab(shopper, host)).close()
}

const paymentMs = 10_000
/** Ten reloads in full. A busy machine takes more than a second for one, and the last must not come after the payment. */
const seconds = full ? [0, 0.9, 1.8, 2.7, 3.6, 4.5, 5.4, 6.3, 7.2, 8.1] : [1, 3]

/** A shop without its own text about reloads. */
const shop = {
  body: `
    <head><title>Shop</title></head><body><h1>Shop</h1>
    <script nonce="host">${notes}</script>
    <a href="/companion/launch?product_id=gold-100" role="button" data-purchase-widget data-mode="modal">Buy</a>
    <script nonce="host">addEventListener('purchase-widget-result', ({ detail }) => noteResult(detail))</script>
    <script src="/companion/purchase-widget.js"></script></body>`,
}

for (const host of full ? hosts : (['script tag'] as const))
  test(`${host}: a page that is reloaded during a payment says that it is being processed, then shows the result`, {
    tag: oneEngine,
  }, async ({ shopper, merchant, service }) => {
    test.setTimeout(180_000)
    await service.switch({ paymentMs })
    const { widgetUrl: widgetOrigin } = service
    if (host === 'script tag') merchant.page('/', shop)
    else
      await openShop(merchant, host, { mode: 'modal', redirectPage: 'self', pageToken: false, widgetOrigin })
    const tab = await shopper.visit(merchant.url)
    await tab.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, tab, 'modal', 'self')
    await pay(widget, cards.success)
    await expect
      .poll(async () => (await service.orders())[0]?.type, { intervals: [50] })
      .toBe('payment_started')
    const began = Date.now()
    for (const second of seconds) {
      await expect.poll(() => Date.now() - began, { intervals: [50] }).toBeGreaterThanOrEqual(second * 1_000)
      await tab.reload()
      await expect
        .poll(() => tab.page.text({ css: '[part=bar] p' }), `second ${second}`)
        .toBe('Your payment is being processed. Do not pay again.')
    }
    const [order] = await service.orders()
    // The script tag reports it by itself, the other shops ask for it.
    const about = host === 'script tag' ? 'result' : 'pending'
    const results = (): string[] =>
      merchant.reports().filter((entry) => entry.startsWith(about) && entry !== 'pending nothing')
    await expect.poll(results).toEqual([`${about} success verified ${order?.id}`])
    await expect.poll(() => tab.page.text({ css: '[part=bar] p' })).toBeNull()
    expect(await service.orders()).toHaveLength(1)
    const figure = `said ${seconds.length} of ${seconds.length} times, result given`
    recordFigure(`reloaded in a payment of 10 s, ${host}, ${shopper.engine}`, figure)
  })
