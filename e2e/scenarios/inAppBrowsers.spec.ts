// Promise: surface/in-app
/** In-app browsers return null for `window.open`. The loader falls back to a dialog, covered by its own tests, or to the current tab. */
import { parseReturnUrl } from '@purchase-widget/loader/url'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, leave, pay } from './widgetPage.ts'

test.use({ shopperOptions: { viewport: { width: 390, height: 844 } } })

test('a blocked popup becomes a redirect of this tab', { tag: oneEngine }, async ({
  shopper,
  merchant,
  service,
}) => {
  const options = `{ companion: '/companion', mode: 'popup', whenBlocked: 'redirect' }`
  merchant.page('/', hostPage({ options, before: 'window.open = () => null' }))
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  await host.page.fill({ label: 'Email' }, 'shopper@example.com')
  expect(await host.url()).toContain(service.widgetUrl)
  await expect.poll(() => merchant.reports()).toContain('blocked redirect')
  recordFigure(`window.open gives null, whenBlocked redirect, ${shopper.engine}`, 'this tab, usable')
})

const appSession = { authorization: 'Bearer app-session' }

// Promise: surface/webview
// An app opens `/launch` in a webview: without a merchant's page, with a session in a header and the app's own return address.
for (const course of ['paid', 'declined'] as const) {
  test(`${course}: the app recognises its return address, and the server knows the result`, {
    tag: oneEngine,
  }, async ({ shopper, merchant, service }) => {
    const back = `${merchant.url}/app/return.html`
    merchant.page('/app/return.html', { body: '<title>App</title><h1>Back in the app</h1>' })
    service.sell({
      authorize: (request) =>
        request.headers.get('authorization') === appSession.authorization ? { customId: 'app-user' } : null,
      createPurchase: ({ params }) => ({
        params: { product_id: params.product_id, quote: 'USD', quote_amount: '0.99' },
        returnUrl: back,
        failReturnUrl: back,
      }),
    })
    // A webview sends the header only with its first request.
    const launched = await fetch(`${merchant.url}/companion/launch?product_id=gold-100&quote_amount=0.01`, {
      headers: appSession,
      redirect: 'manual',
    })
    expect(launched.status).toBe(303)
    const tab = await shopper.visit(`${launched.headers.get('location')}`)
    await expect.poll(() => tab.page.text({ label: 'Email' })).not.toBeNull()
    const purchaseId = /\/return\/([\w-]+)/.exec(
      decodeURIComponent(`${launched.headers.get('location')}`),
    )?.[1]

    await pay(tab.page, course === 'paid' ? cards.success : cards.insufficientBalance)
    await leave(shopper, tab.page, { declined: course === 'declined' })
    await expect.poll(() => tab.url()).toContain('/app/return.html')
    expect(parseReturnUrl(await tab.url(), { redirectUrl: back })).toMatchObject({ purchaseId })

    const known = async (): Promise<unknown> => {
      const answer = await fetch(`${merchant.url}/companion/purchases/${purchaseId}?returned=1`, {
        headers: appSession,
      })
      return answer.json()
    }
    const expected = { paid: 'complete', declined: 'failed' } as const
    await expect.poll(known).toMatchObject({ status: expected[course] })
    recordFigure(`webview, ${course}, ${shopper.engine}`, 'result known 1 of 1')
  })
}
