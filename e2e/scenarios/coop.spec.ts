// Promise: surface/coop
/**
 * Cross-Origin-Opener-Policy severs the popup from its opener, and `popup.closed` then reads true while the popup is open
 * (docs/measurements.md). The loader must not treat that as a cancel, nor a decline as final, and must still find the order.
 * With `EVIDENCE=full` all 24 combinations run, each by the link and with a ticket.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { type Combination, product } from '../fixtures/pairwise.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, leave, otherTab, pay } from './widgetPage.ts'

const factors = {
  policyOn: ['no page', 'the widget page', 'the merchant page', 'both pages'],
  redirectPage: ['self', 'new'],
  course: ['paid', 'declined', 'declined then paid'],
  opened: ['with a ticket', 'by the link'],
} as const
/** Purchases without a policy are in `matrix`, and both policies together add nothing to either one. The link is the default. */
const some: readonly Combination<typeof factors>[] = [
  { policyOn: 'the widget page', redirectPage: 'self', course: 'paid', opened: 'by the link' },
  { policyOn: 'the merchant page', redirectPage: 'new', course: 'paid', opened: 'by the link' },
  {
    policyOn: 'the merchant page',
    redirectPage: 'self',
    course: 'declined then paid',
    opened: 'with a ticket',
  },
]

const rows = full ? product(factors) : some

for (const { policyOn, redirectPage, course, opened } of rows) {
  test(`COOP on ${policyOn}, ${redirectPage}, ${course}, ${opened}: nothing is mistaken for closed, and the order is found`, {
    // Each engine meets the policy where it is most common; that of the shop's own page is for Chromium and the full run.
    tag: policyOn === 'the widget page' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    const onMerchant = policyOn === 'the merchant page' || policyOn === 'both pages'
    const headers: Record<string, string> = onMerchant ? { 'cross-origin-opener-policy': 'same-origin' } : {}
    if (policyOn === 'the widget page' || policyOn === 'both pages')
      await service.switch({ coop: 'same-origin' })
    const widgetOrigin = opened === 'by the link' ? `widgetOrigin: '${service.widgetUrl}',` : ''
    const options = `{ companion: '/companion', ${widgetOrigin} mode: 'popup', redirectPage: '${redirectPage}' }`
    merchant.page('/', hostPage({ options, headers }))
    merchant.page('/return.html', { ...returnPage, headers })
    const results = () => merchant.reports().filter((entry) => entry.startsWith('result'))

    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    const popup = await otherTab(shopper, host)
    await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
    if (course !== 'paid') {
      await pay(popup.page, cards.insufficientBalance)
      await expect.poll(() => popup.page.text({ css: '[role=alert]' })).toContain('balance')
      // After a decline the widget redirects after 10 s, unless the shopper interacts.
      await popup.page.press('Tab')
      await expect.poll(() => popup.page.text({ css: '[role=timer]' }), 'the countdown').toBeNull()
    }
    await sleep(3_000)
    expect(results()).toEqual([])
    if (course === 'declined') await leave(shopper, popup.page, { declined: true })
    else await pay(popup.page, cards.success)

    const status = course === 'declined' ? 'failure' : 'success'
    const count = course === 'declined then paid' ? 2 : 1
    await expect.poll(async () => (await service.orders()).length).toBe(count)
    const [order] = await service.orders()
    const expected = `${status} verified ${order?.id}`
    const [page, path] = redirectPage === 'self' ? ['return page says', '/return.html'] : ['result', '/']
    await expect.poll(() => merchant.reports()).toContain(`${page} ${expected}`)
    expect(results()).not.toContain('result closed ')
    await expect.poll(async () => new URL(await host.url()).pathname, 'the host').toBe(path)
    recordFigure(
      `COOP on ${policyOn}, ${redirectPage}, ${course}, ${opened}, ${shopper.engine}`,
      'false `closed` 0 of 1, hangs 0 of 1, order found 1 of 1',
    )
  })
}
