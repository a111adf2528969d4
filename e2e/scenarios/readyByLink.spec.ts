// Promise: link/no-request
// Promise: surface/frame-policy
/** What follows the link's redirect is the widget: its `ready` is heard, and a policy that allows the link but not the widget is reported. */
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import { developerErrors, noticeWith, reportErrors, smallWindow } from './failureReport.ts'

test.use({ shopperOptions: smallWindow })

const modes = ['iframe', 'modal', 'popup'] as const

let widget: WidgetHost
test.beforeEach(async ({ merchant }) => {
  widget = await startWidgetHost(workingWidget)
  merchant.intercept(({ url }, response) => {
    if (!url?.startsWith('/companion/launch?')) return false
    response.writeHead(303, { location: `${widget.url}/widget/` }).end()
    return true
  })
})
test.afterEach(() => widget.close())

function serve(merchant: Merchant, mode: (typeof modes)[number], headers: Record<string, string> = {}): void {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const source = `companion: '/companion', widgetOrigin: '${widget.url}', params: { product_id: 'gold-100' }`
  merchant.page(
    '/',
    hostPage({
      options: `{ ${source}, mode: '${mode}', ${container}
        interpretMessage: (data) => data?.type === 'ready' ? { type: 'ready' } : null }`,
      before: reportErrors,
      headers,
    }),
  )
}

const launches = (merchant: Merchant): string[] =>
  merchant.requests().flatMap(({ method, url }) => (/^\/companion\/launch/.test(url) ? [method] : []))

for (const mode of full ? modes : (['modal', 'popup'] as const))
  test(`${mode}: a widget that the link opens is ready when it says so`, {
    tag: mode === 'modal' ? [] : oneEngine,
  }, async ({ shopper, merchant }) => {
    serve(merchant, mode)
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click({ css: '#buy' })
    await expect.poll(() => merchant.reports()).toContain('ready')
    await expect.poll(() => merchant.reports()).toContain('state ready')
    expect(launches(merchant)).toEqual(['GET'])
    expect(developerErrors(merchant)).toEqual([])
    recordFigure(`ready by the link, ${mode}, ${shopper.engine}`, 'heard')
  })

for (const mode of full ? (['iframe', 'modal'] as const) : (['modal'] as const))
  test(`${mode}: a policy that allows the link's frame but not the widget's is reported as frame_blocked`, async ({
    shopper,
    merchant,
  }) => {
    serve(merchant, mode, { 'content-security-policy': "frame-src 'self'" })
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click({ css: '#buy' })
    await expect.poll(() => noticeWith(tab.page, 'Open in a new window')).not.toBeNull()
    await expect.poll(() => developerErrors(merchant)).toEqual([expect.stringMatching(/^frame_blocked: /)])
    expect(launches(merchant)).toEqual(['GET'])
    recordFigure(`frame_blocked by the link, ${mode}, ${shopper.engine}`, 'reported, with a way on')
  })
