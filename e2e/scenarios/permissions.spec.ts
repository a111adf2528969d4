// Promise: surface/permissions
/** `permissions` reach the widget's page in the frame, also by the link, whose redirect changes the frame's origin, and no page after it. */
import type { RequestListener } from 'node:http'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost } from '../fixtures/widgetHost.ts'

/**
 * A page in the frame that reports whether it has the camera and, in Chromium, the other permissions. Firefox and WebKit have no
 * interface for that, but refuse the camera with another error than that of a machine without one; Chromium does not.
 */
const reportingPage =
  (name: string, merchantUrl: string, next?: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><html lang="en"><title>${name}</title><h1>${name}</h1><script>
      const has = async (feature) => {
        if (document.featurePolicy) return document.featurePolicy.allowsFeature(feature)
        if (feature !== 'camera') return null
        return navigator.mediaDevices.getUserMedia({ video: true }).catch(({ name }) => name !== 'NotAllowedError')
      }
      const report = async () => {
        const granted = await Promise.all(['camera', 'payment', 'clipboard-write'].map(has))
        await fetch('${merchantUrl}/report', { method: 'POST', mode: 'no-cors', body: '${name} ' + granted.join() })
        ${next ? `location.replace('${next}')` : ''}
      }
      report()
    </script></html>`)
  }

test('permissions are granted to the widget by the link, and not to a page that follows it in the frame', async ({
  shopper,
  merchant,
}) => {
  const other = await startWidgetHost(reportingPage('other page', merchant.url))
  const widget = await startWidgetHost(reportingPage('widget', merchant.url, other.url))
  try {
    merchant.intercept(({ url }, response) => {
      if (!url?.startsWith('/companion/launch?')) return false
      response.writeHead(303, { location: `${widget.url}/widget/` }).end()
      return true
    })
    const source = `companion: '/companion', widgetOrigin: '${widget.url}', params: { product_id: 'gold-100' }`
    merchant.page(
      '/',
      hostPage({
        options: `{ ${source}, container: '#slot', permissions: ['camera', 'payment', 'clipboard-write'] }`,
      }),
    )
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click({ css: '#buy' })
    const [all, none] =
      shopper.engine === 'chromium' ? ['true,true,true', 'false,false,false'] : ['true,,', 'false,,']
    await expect.poll(() => merchant.reports()).toContain(`other page ${none}`)
    expect(merchant.reports()).toContain(`widget ${all}`)
    recordFigure(
      `permissions by the link, ${shopper.engine}`,
      'the widget has them, the page after it has none',
    )
  } finally {
    await widget.close()
    await other.close()
  }
})
