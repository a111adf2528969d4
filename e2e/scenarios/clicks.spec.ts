/** However often the button is clicked in one tick: one window, one token call. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { otherTab } from './widgetPage.ts'

const tokenCalls = (merchant: Merchant): number =>
  merchant.requests().filter(({ url }) => url === '/companion/token').length

test('100 calls of open() in one click open one popup', async ({ shopper, merchant }) => {
  const extra = `<button id="hundred">A hundred times</button>`
  const before = `addEventListener('load', () => { hundred.onclick = () => { for (let i = 0; i < 100; i++) buy.click() } })`
  merchant.page('/', hostPage({ options: `{ companion: '/companion', mode: 'popup' }`, extra, before }))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'A hundred times' })
  const popup = await otherTab(shopper, host)
  await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
  expect(await shopper.tabs()).toHaveLength(2)
  expect(tokenCalls(merchant)).toBe(1)
  recordFigure(`100 clicks in one tick, ${shopper.engine}`, '1 window, 1 token call')
})

test('100 clicks on a script-tag button in one tick open one popup', async ({ shopper, merchant }) => {
  merchant.page('/', {
    body: `
      <script src="/loader/purchase-widget.js" data-companion="/companion"></script>
      <button id="buy" data-purchase-widget data-mode="popup">Buy</button>
      <button onclick="for (let i = 0; i < 100; i++) buy.click()">A hundred times</button>`,
  })
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'A hundred times' })
  const popup = await otherTab(shopper, host)
  await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
  expect(await shopper.tabs()).toHaveLength(2)
  expect(tokenCalls(merchant)).toBe(1)
})

test('100 clicks in one tick mount one frame', async ({ shopper, merchant }) => {
  const extra = `<button id="hundred">A hundred times</button>`
  const before = `addEventListener('load', () => { hundred.onclick = () => { for (let i = 0; i < 100; i++) buy.click() } })`
  merchant.page('/', hostPage({ options: `{ companion: '/companion', mode: 'modal' }`, extra, before }))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'A hundred times' })
  await expect.poll(() => host.frame('iframe').text({ label: 'Email' })).not.toBeNull()
  expect(await host.page.count('iframe')).toBe(1)
  expect(tokenCalls(merchant)).toBe(1)
})
