// Promise: surface/in-app
/** In-app browsers give null for `window.open`. The ladder ends in a widget that can be used, or in this very tab. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({ shopperOptions: { viewport: { width: 390, height: 844 } } })

const noWindows = 'window.open = () => null'

test('a blocked popup becomes a modal that can be used', async ({ shopper, merchant }) => {
  merchant.page('/', hostPage({ options: `{ companion: '/companion', mode: 'popup' }`, before: noWindows }))
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  await host.frame('iframe').fill({ label: 'Email' }, 'shopper@example.com')
  await expect.poll(() => merchant.reports()).toContain('blocked modal')
  recordFigure(`window.open gives null, whenBlocked modal, ${shopper.engine}`, 'modal, usable')
})

test('a blocked popup becomes a redirect of this tab', async ({ shopper, merchant, service }) => {
  const options = `{ companion: '/companion', mode: 'popup', whenBlocked: 'redirect' }`
  merchant.page('/', hostPage({ options, before: noWindows }))
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  await host.page.fill({ label: 'Email' }, 'shopper@example.com')
  expect(await host.url()).toContain(service.widgetUrl)
  await expect.poll(() => merchant.reports()).toContain('blocked redirect')
  recordFigure(`window.open gives null, whenBlocked redirect, ${shopper.engine}`, 'this tab, usable')
})
