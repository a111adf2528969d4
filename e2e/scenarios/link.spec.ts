/** With the companion's own script, the click opens the companion's link: the page requests nothing before it, and holds no token. */
import { PurchaseRefused } from '@purchase-widget/server'
import { openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { smallWindow } from './failureReport.ts'
import { cards, followBack, pay, widgetIn } from './widgetPage.ts'

test.use({ shopperOptions: smallWindow })

/** The launch requests as `METHOD path`, and the ids in them. */
const launches = (merchant: Merchant) =>
  merchant
    .requests()
    .filter(({ url }) => /^\/companion\/(launch|token)\b/.test(url))
    .map(({ method, url }) => ({ method, id: new URL(url, merchant.url).searchParams.get('purchase') }))

// A dialog contains a frame, which the loader's own tests cover.
const mode = 'popup'

// Promise: link/no-request
test('a purchase needs one request by the page, the link', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  service.sell({ returns: false })
  await openShop(merchant, 'script tag', { mode, redirectPage: 'self', pageToken: false })
  const tab = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await tab.page.click({ css: '#buy' })
  const widget = await widgetIn(shopper, tab, mode, 'self')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  expect(launches(merchant)).toEqual([{ method: 'GET', id: expect.stringMatching(/^[\w-]{22}$/) }])
  await pay(widget, cards.success)
  await followBack(widget, merchant, { mode, redirectPage: 'self' })
  const [order] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`result success verified ${order?.id}`)
})

// Promise: link/refused
test('the shopper sees the companion’s refusal there, and the page receives the code', async ({
  shopper,
  merchant,
  service,
}) => {
  service.sell({
    returns: false,
    createPurchase() {
      throw new PurchaseRefused('This one is sold out.')
    },
  })
  await openShop(merchant, 'script tag', { mode, redirectPage: 'self', pageToken: false })
  const tab = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await tab.page.evaluate(() => {
    addEventListener('purchase-widget-error', ({ detail }) => {
      document.title = `${detail.code}, ${detail.companion?.code}`
    })
  })
  await tab.page.click({ css: '#buy' })
  const widget = await widgetIn(shopper, tab, mode, 'self')
  await expect.poll(() => widget.text({ css: 'h1' })).toBe('This one is sold out.')
  await expect.poll(() => tab.page.evaluate(() => document.title)).toBe('token_failed, purchase_refused')
})
