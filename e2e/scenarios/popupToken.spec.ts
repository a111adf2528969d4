// Promise: token/popup-wait
/**
 * The popup opens in the click, however long the token takes: WebKit blocks a window 50 ms after an awaited fetch.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { full, proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { otherTab } from './widgetPage.ts'

const options = `{ companion: '/companion', mode: 'popup', redirectPage: 'new' }`

/** After six seconds the user activation has expired in every browser, and in a strict one after 50 ms. */
const delays = full
  ? { '0 ms': 0, '50 ms': 50, '1 s': 1_000, '5 s': 5_000, '10 s': 10_000 }
  : { '6 s': 6_000 }

for (const [name, delay] of Object.entries(delays)) {
  test(`the popup shows the widget when the token takes ${name}`, async ({ shopper, merchant, service }) => {
    const runs = proofRuns(4, 1)
    test.setTimeout(120_000 + runs * (delay + 20_000))
    merchant.page('/', hostPage({ options }))
    merchant.intercept(async ({ url }) => {
      if (url === '/companion/launch') await sleep(delay)
      return false
    })

    for (let run = 0; run < runs; run++) {
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const popup = await otherTab(shopper, host)
      await expect.poll(() => popup.url(), { timeout: delay + 30_000 }).toContain(service.widgetUrl)
      await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
      await popup.close()
    }
    expect(blockedIn(merchant)).toBe(0)
    recordFigure(
      `popups blocked, token after ${name}, ${shopper.engine}`,
      `${blockedIn(merchant)} of ${runs}`,
    )
  })
}

const blockedIn = (merchant: Merchant): number =>
  merchant.reports().filter((entry) => entry.startsWith('blocked')).length

// Promise: surface/popup
// Every scenario relies on this, and each of them shows that a window opens during the click.
test('a window does not open six seconds after the click', async ({ shopper, merchant }) => {
  merchant.page('/', {
    body: `
      <button id="late">Six seconds later</button>
      <script>
        const open = () => fetch('/report', { method: 'POST', body: window.open('/other') ? 'opened' : 'blocked' })
        late.onclick = () => setTimeout(open, 6000)
      </script>`,
  })
  const { page } = await shopper.visit(merchant.url)
  await page.click({ button: 'Six seconds later' })
  await expect.poll(() => merchant.reports()).toEqual(['blocked'])
  expect(await shopper.tabs()).toHaveLength(1)
})
