/**
 * Ten ways for the token call to fail, in every mode: the shopper gets a sentence and a way on, the developer code and cause, and trying again
 * sells. Nothing stays when the shopper cancels.
 */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { type Mode, otherTab, widgetIn } from './widgetPage.ts'

const refusal =
  (status: number, body = '{"error":{"code":"refused","message":"Not today."}}'): Interceptor =>
  (_request, response) =>
    Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(body))

const failures: Record<string, Interceptor> = {
  'a 401': refusal(401),
  'a 403': refusal(403),
  'a 404': refusal(404, ''),
  'a 429': refusal(429),
  'a 500': refusal(500, 'broken'),
  HTML: (_request, response) =>
    Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')),
  'an empty answer': refusal(200, ''),
  'no answer': () => new Promise(() => {}),
  'a closed connection': (request) => Boolean(request.destroy()),
  'a reset connection': (request) => Boolean(request.socket.resetAndDestroy()),
}

/** Where the sentence is read. */
const placeOf = async (shopper: Shopper, host: Tab, mode: Mode): Promise<View> =>
  mode === 'popup' ? (await otherTab(shopper, host)).page : host.page

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const mode of modes) {
  for (const [name, failure] of Object.entries(failures)) {
    const tag = mode === 'modal' || name === 'a 500' ? [] : '@chromium'
    test(`${mode}: when the token call gets ${name}, the shopper can try again`, { tag }, async ({
      shopper,
      merchant,
    }) => {
      const container = mode === 'iframe' ? `container: '#slot',` : ''
      merchant.page(
        '/',
        hostPage({ options: `{ companion: '/companion', mode: '${mode}', ${container} loadTimeout: 2000 }` }),
      )
      let isBroken = true
      merchant.intercept((request, response) =>
        isBroken && request.url === '/companion/token' ? failure(request, response) : false,
      )
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const place = await placeOf(shopper, host, mode)
      await expect.poll(() => place.text({ button: 'Try again' })).not.toBeNull()
      await expect.poll(() => merchant.reports()).toContain('error token_failed')
      expect(merchant.reports().join()).not.toContain('result')

      isBroken = false
      await place.click({ button: 'Try again' })
      const widget = await widgetIn(shopper, host, mode, 'self')
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
      recordFigure(`token call gets ${name}, ${mode}, ${shopper.engine}`, 'sentence and way on shown, sells')
    })
  }
}
