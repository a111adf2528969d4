/** A healthy checkout that is left alone: nothing appears over it, and what was typed stays. */
import { setTimeout as sleep } from 'node:timers/promises'
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { type Mode, widgetIn } from './widgetPage.ts'

/** Shorter than the test looks on, and long enough for a slow machine to load the widget in. */
const loadTimeout = 5_000

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const mode of modes) {
  test(`${mode}: nothing appears over a healthy checkout, and typed text stays`, async ({
    shopper,
    merchant,
  }) => {
    const seconds = proofRuns(60, 8)
    test.setTimeout(60_000 + seconds * 1_000)
    const container = mode === 'iframe' ? `container: '#slot',` : ''
    merchant.page(
      '/',
      hostPage({
        options: `{ companion: '/companion', mode: '${mode}', ${container} loadTimeout: ${loadTimeout} }`,
      }),
    )
    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, 'self')
    await widget.fill({ label: 'Email' }, 'shopper@example.com')
    await sleep(seconds * 1_000)
    if (mode !== 'redirect') {
      expect(await host.page.text({ button: 'Try again' })).toBeNull()
      expect(await host.page.text({ button: 'Open in a new window' })).toBeNull()
    }
    const typed = await widget.evaluate(() => document.querySelector('input')?.value)
    expect(typed).toBe('shopper@example.com')
    expect(merchant.reports().filter((entry) => /^(error|result (?!redirected))/.test(entry))).toEqual([])
    recordFigure(
      `healthy checkout alone for ${seconds} s, ${mode}, ${shopper.engine}`,
      'nothing over it, text kept',
    )
  })
}
