// Promise: known/reload
/** A shopper who reloads while the payment is under way reads each time that it is, and the page that stays gives its result. */
import { full, recordFigure } from '../../scripts/proof.ts'
import { notes } from '../fixtures/hostPage.ts'
import { openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, pay, widgetIn } from './widgetPage.ts'

const paymentMs = 10_000
const seconds = full ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 3]

const page = (body: string): { body: string } => ({
  body: `<head><title>Shop</title></head><body><h1>Shop</h1><script nonce="host">${notes}</script>${body}</body>`,
})

/** None of these pages has a line of its own about reloads, but for the last. */
const shops: Record<string, (merchant: Merchant) => Promise<void> | void> = {
  'the script tag': (merchant) =>
    merchant.page(
      '/',
      page(`
        <a href="/companion/launch?product_id=gold-100" role="button" data-purchase-widget data-mode="modal">Buy</a>
        <script nonce="host">addEventListener('purchase-widget-result', ({ detail }) => noteResult(detail))</script>
        <script src="/companion/purchase-widget.js"></script>`),
    ),
  React: async (merchant) => {
    const options = { mode: 'modal', redirectPage: 'self', pageToken: false } as const
    await openShop(merchant, 'React', options)
    merchant.page(
      '/',
      page(`
        <div id="app"></div>
        <script nonce="host">
          window.hostOptions = ${JSON.stringify(options)}
          window.noteState = () => {}
          window.notePage = () => {}
        </script>
        <script type="module" src="/react.js"></script>`),
    )
  },
  'getPendingResult()': (merchant) =>
    merchant.page(
      '/',
      page(`
        <button id="buy">Buy</button>
        <script type="module" nonce="host">
          import { createPurchaseWidget, getPendingResult } from '/loader/index.js'
          const widget = createPurchaseWidget({ companion: '/companion' })
          buy.onclick = () => widget.open()
          getPendingResult({ companion: '/companion' }).then((result) => result && noteResult(result))
        </script>`),
    ),
}

for (const [way, open] of Object.entries(shops)) {
  test(`${way}: a page that is reloaded in the middle of a payment says that it is being processed, and gives the result`, {
    tag: oneEngine,
  }, async ({ shopper, merchant, service }) => {
    test.setTimeout(180_000)
    await service.switch({ paymentMs })
    await open(merchant)
    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, 'modal', 'self')
    await pay(widget, cards.success)
    await expect
      .poll(async () => (await service.orders())[0]?.type, { intervals: [50] })
      .toBe('payment_started')
    const began = Date.now()
    for (const second of seconds) {
      await expect.poll(() => Date.now() - began, { intervals: [50] }).toBeGreaterThanOrEqual(second * 1_000)
      await host.reload()
      await expect
        .poll(() => host.page.text({ css: '[part=bar] p' }), `second ${second}`)
        .toBe('Your payment is being processed. Do not pay again.')
    }
    const [order] = await service.orders()
    const results = (): string[] => merchant.reports().filter((entry) => entry.startsWith('result'))
    await expect.poll(results).toEqual([`result success verified ${order?.id}`])
    await expect.poll(() => host.page.text({ css: '[part=bar] p' })).toBeNull()
    expect(await service.orders()).toHaveLength(1)
    const said = `said ${seconds.length} of ${seconds.length} times, result given`
    recordFigure(`reloaded in a payment of 10 s: ${way}, ${shopper.engine}`, said)
  })
}
