/**
 * A page that asks for cross-origin isolation: in windows and tabs of its own the widget is not asked to take part. A frame is, and what
 * becomes of it is what docs/headers.md says.
 */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, leave, pay, widgetIn } from './widgetPage.ts'

for (const policy of ['require-corp', 'credentialless'] as const) {
  for (const mode of ['popup', 'redirect'] as const) {
    test(`${mode}: a purchase on a page with COEP ${policy}`, async ({ shopper, merchant, service }) => {
      const headers = { 'cross-origin-embedder-policy': policy }
      const options = `{ companion: '/companion', mode: '${mode}', redirectPage: 'self' }`
      merchant.page('/', hostPage({ options, headers }))
      merchant.page('/return.html', { ...returnPage, headers })
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const widget = await widgetIn(shopper, host, mode, 'self')
      await pay(widget, cards.success)
      await leave(shopper, widget, { declined: false })
      await expect.poll(async () => new URL(await host.url()).pathname).toBe('/return.html')
      const [order] = await service.orders()
      await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
      recordFigure(`COEP ${policy}, ${mode}, ${shopper.engine}`, 'a whole purchase')
    })
  }
  test(`iframe: a page with COEP ${policy} shows the widget only where the browser does not know it`, async ({
    shopper,
    merchant,
  }) => {
    const headers = { 'cross-origin-embedder-policy': policy }
    const options = "{ companion: '/companion', mode: 'iframe', container: '#slot', loadTimeout: 2_000 }"
    merchant.page('/', hostPage({ options, headers }))
    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const isShown = async (): Promise<boolean> =>
      (await host.frame('iframe').text({ button: 'Pay' })) !== null
    await expect.poll(() => merchant.reports()).toContain('state loading')
    const isUnknown = shopper.engine === 'webkit' && policy === 'credentialless'
    if (isUnknown) await expect.poll(isShown).toBe(true)
    else {
      await new Promise((resolve) => setTimeout(resolve, 4_000))
      expect(await isShown()).toBe(false)
    }
    recordFigure(`COEP ${policy}, iframe, ${shopper.engine}`, isUnknown ? 'shown' : 'not shown')
  })
}
