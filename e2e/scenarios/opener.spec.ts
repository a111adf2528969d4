// Promise: surface/opener
/**
 * What a widget page can do to its opener. The table in docs/security.md documents it for merchants: each engine is checked
 * against its column.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost } from '../fixtures/widgetHost.ts'
import { type EngineName, engineNames, type Shopper, type Tab, type View } from './driver.ts'
import { otherTab } from './widgetPage.ts'

interface Place {
  /** The row of the table. */
  row: string
  options: string
  clicks: boolean
  view: (shopper: Shopper, host: Tab) => Promise<View>
}

const inFrame = async (_shopper: Shopper, host: Tab): Promise<View> => host.frame('iframe')
const inWindow = async (shopper: Shopper, host: Tab): Promise<View> => (await otherTab(shopper, host)).page

const places: readonly Place[] = [
  { row: 'a frame, without a click', options: `mode: 'modal'`, clicks: false, view: inFrame },
  { row: 'a frame, after a click in it', options: `mode: 'modal'`, clicks: true, view: inFrame },
  { row: 'a popup, without a click', options: `mode: 'popup'`, clicks: false, view: inWindow },
  {
    row: 'a tab of `redirect` with `new`',
    options: `mode: 'redirect', redirectPage: 'new'`,
    clicks: true,
    view: inWindow,
  },
]

for (const { row, options, clicks, view } of places) {
  test(`${row}: the widget navigates its opener only where the documents say so`, async ({
    shopper,
    merchant,
  }) => {
    const tried: string[] = []
    const service = await startWidgetHost((request, response) => {
      if (request.url === '/tried') tried.push('tried')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(request.url === '/elsewhere' ? 'Elsewhere' : hostilePage(clicks))
    })
    try {
      const host = await openWidget(shopper, merchant, `widgetUrl: '${service.url}', ${options}`)
      if (clicks) await (await view(shopper, host)).click({ button: 'Pay' })
      await expect.poll(() => tried).toEqual(['tried'])

      const verdict = documented(row, shopper.engine)
      expect(verdict).toMatch(/^(can|cannot)$/)
      if (verdict === 'cannot') await sleep(2_000)
      await expect
        .poll(async () => (await host.url()).endsWith('/elsewhere'), 'moved')
        .toBe(verdict === 'can')
      recordFigure(
        `${row}: the widget can move the page, ${shopper.engine}`,
        verdict === 'can' ? 'yes' : 'no',
      )
    } finally {
      await service.close()
    }
  })
}

async function openWidget(shopper: Shopper, merchant: Merchant, options: string): Promise<Tab> {
  merchant.page('/', hostPage({ options: `{ accessToken: 'token', ${options} }` }))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'Buy' })
  return host
}

/**
 * A widget page that navigates its opener or parent to a foreign address. Browsers let a frame navigate its parent to other addresses
 * on the parent's own site. A window without an opener navigates itself: the beacon is still sent, while an ordinary request would
 * be cancelled with the page.
 */
const hostilePage = (clicks: boolean): string => `<!doctype html><html lang="en">
  <title>Widget</title><button>Pay</button>
  <script>
    const move = () => {
      navigator.sendBeacon('/tried')
      try { (opener ?? top).location.href = location.origin + '/elsewhere' } catch {}
    }
    ${clicks ? `document.querySelector('button').onclick = move` : 'setTimeout(move, 1000)'}
  </script></html>`

/** The entry of the table in docs/security.md: `can` or `cannot`. */
function documented(row: string, engine: EngineName): string | undefined {
  const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
  const line = text.split('\n').find((each) => each.trim().startsWith(`| ${row} |`))
  return line?.split('|').map((cell) => cell.trim())[2 + engineNames.indexOf(engine)]
}
