/**
 * Cross-Origin-Opener-Policy cuts the popup off from the page that opened it, and `popup.closed` then reads true while the popup is
 * open (M5). The loader must not take that for a cancel, and must still find the paid order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, otherTab, pay } from './widgetPage.ts'

const cases = {
  'the widget page': { onWidget: true, onMerchant: false },
  'the merchant page': { onWidget: false, onMerchant: true },
  'both pages': { onWidget: true, onMerchant: true },
}

for (const [name, { onWidget, onMerchant }] of Object.entries(cases)) {
  test(`with COOP on ${name} the paid order is found, and nothing is taken for closed`, async ({
    shopper,
    merchant,
    service,
  }) => {
    const headers: Record<string, string> = onMerchant ? { 'cross-origin-opener-policy': 'same-origin' } : {}
    if (onWidget) await service.switch({ coop: 'same-origin' })
    const options = `{ companion: '/companion', mode: 'popup', redirectPage: 'self' }`
    merchant.page('/', hostPage({ options, headers }))
    merchant.page('/return.html', { ...returnPage, headers })

    const results = () => merchant.reports().filter((entry) => entry.startsWith('result'))

    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const popup = await otherTab(shopper, host)
    await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
    await sleep(3_000)
    expect(results()).toEqual([])

    await pay(popup.page, cards.success)
    await expect.poll(async () => (await service.orders()).length).toBe(1)
    const [order] = await service.orders()
    await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
    expect(results()).not.toContain('result closed ')
    expect(results().length, 'a result').toBeGreaterThan(0)
    await expect.poll(async () => new URL(await host.url()).pathname, 'the host').toBe('/return.html')
    recordFigure(
      `COOP on ${name}, ${shopper.engine}`,
      'false `closed` 0 of 1, hangs 0 of 1, paid order found 1 of 1',
    )
  })
}
