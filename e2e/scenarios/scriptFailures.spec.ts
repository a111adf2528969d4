// Promise: link/without-script
/** The loader's file is missing, late, or may not run: the link leads to the widget by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { full } from '../../scripts/proof.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { recordFailure, smallWindow } from './failureReport.ts'
import type { Mode } from './widgetPage.ts'

const script = '/companion/purchase-widget.js'

interface Failure {
  intercept?: Interceptor
  headers?: Record<string, string>
}

const failures: Record<string, Failure> = {
  'the script is missing (404)': {
    intercept: ({ url }, response) => url === script && Boolean(response.writeHead(404).end()),
  },
  'the script is slow': {
    intercept: async ({ url }) => {
      if (url === script) await sleep(20_000, undefined, { ref: false })
      return false
    },
  },
  'JavaScript is off': { headers: { 'content-security-policy': "script-src 'none'" } },
}

test.use({ shopperOptions: smallWindow })

/** The link is the same in every mode: the script that would read its mode does not run. */
const modes: readonly Mode[] = full ? ['iframe', 'modal', 'popup', 'redirect'] : ['popup']
for (const mode of modes) {
  for (const [name, { intercept, headers = {} }] of Object.entries(failures)) {
    test(`${mode}: when ${name}, the link leads to the widget`, {
      tag: name === 'the script is slow' ? [] : oneEngine,
    }, async ({ shopper, merchant }) => {
      // The file is asked for once the page has loaded, so that the shopper can click meanwhile.
      merchant.page('/', {
        headers,
        body: `
          <title>Shop</title><h1>Shop</h1>
          <a href="/companion/launch?product_id=gold-100" data-purchase-widget data-mode="${mode}"
            ${mode === 'iframe' ? 'data-container="#slot"' : ''}>Buy</a>
          <div id="slot"></div>
          <script>
            addEventListener('load', () => setTimeout(() => document.body.append(Object.assign(document.createElement('script'), { src: '${script}' }))))
          </script>`,
      })
      if (intercept) merchant.intercept(intercept)
      const host = await shopper.visit(merchant.url)
      await host.page.click({ link: 'Buy' })
      await expect.poll(() => host.page.text({ label: 'Email' }), 'the widget').not.toBeNull()
      recordFailure(shopper, {
        failure: name,
        mode,
        shopper: 'the widget in this tab',
        when: 'at once',
      })
    })
  }
}
