// Promise: loader/leaves-nothing
/** However often the widget is opened and closed, no window is left open; the loader's own tests count what a frame leaves in its page. */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import { otherTab } from './widgetPage.ts'

interface HostWindow {
  widget: { close(): void }
}

let service: WidgetHost
test.beforeEach(async () => {
  service = await startWidgetHost(workingWidget)
})
test.afterEach(() => service.close())

const optionsFor = (mode: string): string =>
  `{ widgetUrl: '${service.url}', accessToken: 'token', mode: '${mode}', redirectPage: '${mode === 'redirect' ? 'new' : 'self'}' }`

// A driver slows down with every window that it has seen, so each part uses a new page.
const parts = proofRuns(10, 1)
for (const mode of ['popup', 'redirect']) {
  for (let part = 1; part <= parts; part++) {
    test(`${mode}: opening and closing a window many times leaves none open (${part} of ${parts})`, {
      tag: mode === 'popup' ? [] : oneEngine,
    }, async ({ shopper, merchant }) => {
      const cycles = proofRuns(100, 3)
      // Firefox under Playwright takes up to three seconds per cycle on a busy machine.
      test.setTimeout(120_000 + cycles * 6_000)
      merchant.page('/', hostPage({ options: optionsFor(mode) }))
      const host = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      for (let cycle = 0; cycle < cycles; cycle++) {
        await host.page.click({ button: 'Buy' })
        const other = await otherTab(shopper, host)
        await expect.poll(() => other.url()).toContain(service.url)
        // A separate tab must be closed by the shopper.
        if (mode === 'redirect') await other.close()
        await host.page.evaluate(() => (window as unknown as HostWindow).widget.close())
        await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(1)
      }
      recordFigure(
        `${cycles} open/close cycles, ${mode}, ${part} of ${parts}, ${shopper.engine}`,
        'windows left: 0',
      )
    })
  }
}

test('popup: a window that is closed while it navigates to the widget is gone', async ({
  shopper,
  merchant,
}) => {
  const cycles = proofRuns(200, 4)
  test.setTimeout(120_000 + cycles * 6_000)
  // From before the token to after the widget's first byte.
  const closeSoon = `addEventListener('click', () => setTimeout(() => window.widget.close(), Math.random() * 80))`
  merchant.page('/', hostPage({ options: optionsFor('popup'), before: closeSoon }))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')

  const closed = (): number => merchant.reports().filter((entry) => entry.startsWith('result closed')).length
  for (let cycle = 1; cycle <= cycles; cycle++) {
    await host.page.click({ button: 'Buy' })
    await expect.poll(closed).toBe(cycle)
    await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(1)
  }
  recordFigure(`${cycles} popups closed on their way to the widget, ${shopper.engine}`, 'windows left: 0')
})
