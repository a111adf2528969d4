/** A page that asks for cross-origin isolation: in windows and tabs of its own the widget is not asked to take part. */
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
}
