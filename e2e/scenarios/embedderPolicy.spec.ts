// Promise: surface/coep
/**
 * A page that requests cross-origin isolation: a widget in its own window or tab is not affected. A frame is, with the effect
 * described in docs/go-live.md.
 */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Tab } from './driver.ts'
import { cards, leave, pay, widgetIn } from './widgetPage.ts'

for (const mode of ['popup', 'redirect'] as const) {
  test(`${mode}: a page with COEP require-corp sells`, { tag: oneEngine }, async ({
    shopper,
    merchant,
    service,
  }) => {
    const headers = { 'cross-origin-embedder-policy': 'require-corp' }
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
    recordFigure(`COEP require-corp, ${mode}, ${shopper.engine}`, 'a whole purchase')
  })
}

for (const policy of ['require-corp', 'credentialless'] as const)
  test(`iframe: a page with COEP ${policy} shows the widget only where the browser does not support the policy`, async ({
    shopper,
    merchant,
  }) => {
    const options = "companion: '/companion', mode: 'iframe', container: '#slot'"
    merchant.page('/', hostPage({ options: `{ ${options} }` }))
    const headers = { 'cross-origin-embedder-policy': policy }
    merchant.page('/isolated', hostPage({ options: `{ ${options}, loadTimeout: 5_000 }`, headers }))
    const open = async (path: string): Promise<Tab> => {
      const host = await shopper.visit(merchant.url + path)
      await host.page.click({ button: 'Buy' })
      return host
    }
    const isShown = async (host: Tab): Promise<boolean> =>
      (await host.frame('iframe').text({ button: 'Pay' })) !== null

    // The same page without the policy shows the widget, which proves that a missing widget is due to the policy.
    const plain = await open('/')
    await expect.poll(() => isShown(plain)).toBe(true)
    const isUnknown = shopper.engine === 'webkit' && policy === 'credentialless'
    const isolated = await open('/isolated')
    if (isUnknown) await expect.poll(() => isShown(isolated)).toBe(true)
    else {
      // The browser reports the load of its own error page, or the loader times out after `loadTimeout`.
      const loads = (): number => merchant.reports().filter((entry) => entry === 'state loaded').length
      const isOver = async (): Promise<boolean> =>
        loads() > 1 || (await isolated.page.text({ button: 'Open in a new window' })) !== null
      await expect.poll(isOver, 'loaded, or given up').toBe(true)
      expect(await isShown(isolated)).toBe(false)
    }
    recordFigure(`COEP ${policy}, iframe, ${shopper.engine}`, isUnknown ? 'shown' : 'not shown')
  })
