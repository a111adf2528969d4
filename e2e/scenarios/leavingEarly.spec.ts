/** The shopper leaves before the purchase has ended, or right after paying: in each row of the table in section 4 of the design. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { cards, type Mode, otherTab, pay, type RedirectPage, widgetIn } from './widgetPage.ts'

const redirectPages: readonly RedirectPage[] = ['self', 'new']

/** How a person leaves each surface. An iframe has no way of its own, so there the merchant's page closes it. */
const leaveEarly: Record<Mode, (shopper: Shopper, host: Tab) => Promise<void>> = {
  iframe: (_shopper, host) =>
    host.page.evaluate(() => (window as unknown as { widget: { close(): void } }).widget.close()),
  modal: (_shopper, host) => host.page.click({ button: 'Close' }),
  popup: async (shopper, host) => (await otherTab(shopper, host)).close(),
  redirect: async (shopper, host) => (await otherTab(shopper, host)).close(),
}

test.beforeEach(({ merchant }) => merchant.page('/return.html', returnPage))

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const mode of modes) {
  for (const redirectPage of redirectPages) {
    // The one row in which this page is gone; see below.
    if (mode === 'redirect' && redirectPage === 'self') continue
    const options = `{ companion: '/companion', mode: '${mode}', redirectPage: '${redirectPage}', container: ${mode === 'iframe' ? "'#slot'" : 'undefined'} }`

    test(`${mode}, ${redirectPage}: leaving before paying is closed`, async ({
      shopper,
      merchant,
      service,
    }) => {
      merchant.page('/', hostPage({ options }))
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const widget = await widgetIn(shopper, host, mode, redirectPage)
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
      // One that goes sooner can't be told from one that COOP cut off.
      await expect.poll(() => merchant.reports()).toContain('state loaded')
      await leaveEarly[mode](shopper, host)

      await expect.poll(() => results(merchant.reports()), { timeout: 30_000 }).toEqual(['result closed '])
      expect(await service.orders()).toEqual([])
      expect(await host.page.count('iframe')).toBe(0)
      recordFigure(
        `${mode}, ${redirectPage}: closed early, ${shopper.engine}`,
        '`closed`, same tab, no order',
      )
    })

    test(`${mode}, ${redirectPage}: leaving after paying is still a success`, async ({
      shopper,
      merchant,
      service,
    }) => {
      service.sell({ returns: false })
      // The widget stays until the shopper leaves.
      await service.switch({ redirectTarget: 'none' })
      merchant.page('/', hostPage({ options }))
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const widget = await widgetIn(shopper, host, mode, redirectPage)
      await pay(widget, cards.success)
      await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
      await expect.poll(() => merchant.reports()).toContain('state loaded')
      await leaveEarly[mode](shopper, host)

      const [order] = await service.orders()
      await expect
        .poll(() => results(merchant.reports()), { timeout: 30_000 })
        .toEqual([`result success verified ${order?.id}`])
      recordFigure(`${mode}, ${redirectPage}: paid, then closed, ${shopper.engine}`, 'order found 1 of 1')
    })
  }
}

test('redirect, self: going back before paying brings the shop back, ready to sell', async ({
  shopper,
  merchant,
  service,
}) => {
  const options = `{ companion: '/companion', mode: 'redirect', redirectPage: 'self' }`
  merchant.page('/', hostPage({ options, before: `addEventListener('pageshow', () => note('shown'))` }))
  const shown = (): number => merchant.reports().filter((entry) => entry === 'shown').length
  const host = await shopper.visit(merchant.url)
  await expect.poll(shown).toBe(1)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.page.text({ label: 'Email' })).not.toBeNull()
  await host.back()
  await expect.poll(shown, 'the shop again').toBe(2)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.page.text({ label: 'Email' })).not.toBeNull()
  expect(await service.orders()).toEqual([])
  recordFigure(`redirect, self: back before paying, ${shopper.engine}`, 'same tab, sells again')
})

const results = (reports: readonly string[]): string[] =>
  reports.filter((entry) => entry.startsWith('result'))
