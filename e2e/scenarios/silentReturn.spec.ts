// Promise: loader/results
/**
 * After a payment, something in front of the companion answers in place of the return page, which therefore sends no message: the page asks
 * the server, and neither waits in silence nor claims a failure.
 */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, followBack, pay, widgetIn } from './widgetPage.ts'

for (const mode of ['modal', 'popup'] as const) {
  test(`${mode}: when a gateway answers 502 in place of the return page, the result is still known`, {
    // A window differs more between engines than a frame, and `closed` tells a page less.
    tag: mode === 'popup' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    // Nothing leads on from here: the result stays with the page that opened the widget.
    service.sell({ returns: false })
    const link = `companion: '/companion', widgetOrigin: '${service.widgetUrl}', params: { product_id: 'gold-100' }`
    merchant.page('/', hostPage({ options: `{ ${link}, mode: '${mode}', redirectPage: 'self' }` }))
    merchant.intercept((request, response) => {
      if (!request.url?.startsWith('/companion/return/')) return false
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
      return true
    })
    const host = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, 'self')
    await pay(widget, cards.success)
    await followBack(widget, merchant, { mode, redirectPage: 'self' })
    const backAt = Date.now()
    const results = (): string[] => merchant.reports().filter((entry) => entry.startsWith('result'))
    await expect.poll(results, { timeout: 20_000 }).not.toEqual([])
    const [order] = await service.orders()
    expect(results()).toEqual([`result success verified ${order?.id}`])
    // The error page does not stay in the widget's place.
    await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(1)
    await expect.poll(() => host.page.count('iframe'), 'frames').toBe(0)
    const seconds = Math.round((Date.now() - backAt) / 1_000)
    recordFigure(`return page answers 502, ${mode}, ${shopper.engine}`, `result after ${seconds} s`)
  })
}
