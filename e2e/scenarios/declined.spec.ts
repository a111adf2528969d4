// Promise: link/fail-address
/** A shop with only a thank-you page: a shopper whose card was declined never reaches it, and sees no thanks. */
import { full, recordFigure } from '../../scripts/proof.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { product } from '../fixtures/pairwise.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, leave, type Mode, pay, type RedirectPage, widgetIn, wordsOf } from './widgetPage.ts'

const sale = { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' }

const link = (attributes: string): string =>
  `<a href="/companion/launch?product_id=gold-100" ${attributes}>Buy</a>`

/** The shop's page, where the purchase starts; the slot is for a frame. */
const goods = (body: string) => ({
  body: `<head><title>Goods</title></head><body><h1>Goods</h1>${body}<div id="slot"></div><p role="status"></p></body>`,
})

const withScript = (mode: Mode, redirectPage: RedirectPage) =>
  goods(`
    ${link(`data-purchase-widget data-mode="${mode}" data-redirect-page="${redirectPage}" ${mode === 'iframe' ? 'data-container="#slot"' : ''}`)}
    <script>
      document.addEventListener('purchase-widget-result', ({ detail: { status, verified } }) => {
        const words = status === 'success' ? 'Thank you.' : 'Not paid.'
        if (verified) document.querySelector('[role=status]').textContent = words
      })
    </script>
    <script src="/companion/purchase-widget.js"></script>`)

/** The page at `returnUrl` shows thanks to every visitor. */
function sellWithThanksAlone(merchant: Merchant): void {
  merchant.page('/thanks', { body: '<title>Thanks</title><h1>Thank you</h1>' })
}

async function expectNoThanks(shopper: Shopper, merchant: Merchant): Promise<void> {
  expect(await wordsOf(shopper)).not.toMatch(/thank/i)
  expect(merchant.requests().filter(({ url }) => url.startsWith('/thanks'))).toEqual([])
}

const factors = { mode: ['iframe', 'modal', 'popup', 'redirect'], redirectPage: ['self', 'new'] } as const
const some = [
  { mode: 'modal', redirectPage: 'self' },
  { mode: 'popup', redirectPage: 'new' },
] as const

for (const { mode, redirectPage } of full ? product(factors) : some)
  test(`declined in ${mode}, ${redirectPage}, with returnUrl alone: the shopper sees "Not paid" where the purchase started`, {
    tag: oneEngine,
  }, async ({ shopper, merchant, service }) => {
    service.sell({ createPurchase: () => ({ params: sale, returnUrl: `${merchant.url}/thanks` }) })
    sellWithThanksAlone(merchant)
    merchant.page('/goods', withScript(mode, redirectPage))
    const host = await shopper.visit(`${merchant.url}/goods?shelf=gold`)
    await host.page.click({ link: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, redirectPage)
    await pay(widget, cards.insufficientBalance)
    await leave(shopper, widget, { declined: true })
    await expect.poll(() => host.page.text({ css: '[role=status]' })).toBe('Not paid.')
    await expectAtGoods(host)
    // The browser closes it shortly after the page has its result, and in between nothing in it can be read.
    if (mode === 'popup') await expect.poll(() => isOpen(shopper, widget), 'the popup').toBe(false)
    await expectNoThanks(shopper, merchant)
    recordFigure(
      `declined, returnUrl alone, ${mode}, ${redirectPage}, ${shopper.engine}`,
      'no page says thanks',
    )
  })

test('declined after a link without script, with returnUrl alone: the shopper is back where the purchase started', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  service.sell({ createPurchase: () => ({ params: sale, returnUrl: `${merchant.url}/thanks` }) })
  sellWithThanksAlone(merchant)
  merchant.page('/goods', goods(link('')))
  const host = await shopper.visit(`${merchant.url}/goods?shelf=gold`)
  await host.page.click({ link: 'Buy' })
  await pay(host.page, cards.insufficientBalance)
  await leave(shopper, host.page, { declined: true })
  await expectAtGoods(host)
  await expectNoThanks(shopper, merchant)
  recordFigure(`declined, returnUrl alone, link without script, ${shopper.engine}`, 'no page says thanks')
})

const isOpen = async (shopper: Shopper, view: View): Promise<boolean> =>
  (await shopper.tabs()).some(({ page }) => page === view)

/** Expects the same page with its original query. */
async function expectAtGoods(host: Tab): Promise<void> {
  await expect.poll(async () => (await host.url()).split('/').at(-1)).toMatch(/^goods\?shelf=gold/)
}
