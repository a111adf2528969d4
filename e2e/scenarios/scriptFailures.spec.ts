// Promise: link/without-script
/** When the loader's file is missing, late, blocked or not the published one, the link opens the widget by itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { full, recordFigure } from '../../scripts/proof.ts'
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
      tag: oneEngine,
    }, async ({ shopper, merchant }) => {
      // The file is requested after the page has loaded, so that the shopper can click meanwhile.
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

// Promise: script/integrity
const dist = join(import.meta.dirname, '..', '..', 'packages', 'loader', 'dist')
const published = (): Buffer => readFileSync(join(dist, 'purchase-widget.js'))

test('the file with its published hash runs, and with one flipped byte it does not', {
  tag: oneEngine,
}, async ({ shopper, merchant }) => {
  const manifest = JSON.parse(readFileSync(join(dist, 'integrity.json'), 'utf8')) as Record<string, string>
  const flipped = published()
  const middle = Math.floor(flipped.length / 2)
  flipped[middle] = (flipped[middle] ?? 0) ^ 1
  merchant.intercept(({ url }, response) => {
    if (url !== '/cdn/good.js' && url !== '/cdn/flipped.js') return false
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(url === '/cdn/good.js' ? published() : flipped)
    return true
  })
  const page = (file: string): { body: string } => ({
    body: `<script src="/cdn/${file}" integrity="${manifest['purchase-widget.js']}" crossorigin="anonymous"></script><h1>Shop</h1>`,
  })
  merchant.page('/good', page('good.js'))
  merchant.page('/flipped', page('flipped.js'))

  const runs = async (path: string): Promise<boolean> =>
    (await shopper.visit(merchant.url + path)).page.evaluate(() => 'PurchaseWidget' in window)
  expect(await runs('/good')).toBe(true)
  expect(await runs('/flipped')).toBe(false)
  recordFigure(
    `script with its integrity hash, ${shopper.engine}`,
    'runs; with one flipped byte it is refused',
  )
})
