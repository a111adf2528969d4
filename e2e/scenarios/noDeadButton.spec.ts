/** A link sells without the script: when the file is missing, blocked, late, or scripts are off. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordFigure } from '../../scripts/proof.ts'
import { returnPage } from '../fixtures/hostPage.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, leave, pay } from './widgetPage.ts'

const stub = readFileSync(
  join(import.meta.dirname, '..', '..', 'packages', 'loader', 'dist', 'stub.js'),
  'utf8',
)

const scriptPath = '/companion/purchase-widget.js'
const script = `<script async src="${scriptPath}"></script>`
/** The page has loaded before the file, so that the shopper can click meanwhile. */
const lateScript = `<script>
  addEventListener('load', () => setTimeout(() => document.body.append(Object.assign(document.createElement('script'), { src: '${scriptPath}' }))))
</script>`

interface Trouble {
  script?: string
  intercept?: Interceptor
  headers?: Record<string, string>
}

const troubles: Record<string, Trouble> = {
  'the script is missing': {
    intercept: ({ url }, response) => url === scriptPath && Boolean(response.writeHead(404).end()),
  },
  'the connection is cut': {
    intercept: (request) => request.url === scriptPath && Boolean(request.destroy()),
  },
  'the script is late': {
    script: lateScript,
    intercept: async ({ url }) => {
      if (url === scriptPath) await sleep(20_000)
      return false
    },
  },
  'the page allows no scripts': { headers: { 'content-security-policy': "script-src 'none'" } },
}

for (const withStub of [false, true]) {
  for (const [name, { intercept, headers = {}, script: tag = script }] of Object.entries(troubles)) {
    test(`${withStub ? 'with the stub' : 'without the stub'}, ${name}: the link leads to the widget`, async ({
      shopper,
      merchant,
      service,
    }) => {
      merchant.page('/return.html', returnPage)
      merchant.page('/', {
        headers,
        body: `
          <title>Shop</title><h1>Shop</h1>
          ${withStub ? `<script>${stub}</script>` : ''}
          ${tag}
          <a href="/companion/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy</a>`,
      })
      if (intercept) merchant.intercept(intercept)
      const host = await shopper.visit(merchant.url)
      await host.page.click({ link: 'Buy' })
      await expect.poll(() => host.page.text({ label: 'Email' }), { timeout: 20_000 }).not.toBeNull()
      await pay(host.page, cards.success)
      await leave(shopper, host.page, { declined: false })
      const [order] = await service.orders()
      await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
      recordFigure(`${name}, ${withStub ? 'stub' : 'no stub'}, ${shopper.engine}`, 'bought 1 of 1')
    })
  }
}
