/**
 * A whole purchase in every way: each pair of host, mode, `redirect_page`, place of the token, course and return address meets here; with
 * `EVIDENCE=full` every combination. What is where at the end is the table in docs/redirect-page.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { returnPage } from '../fixtures/hostPage.ts'
import { hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { type Combination, pairwise, product } from '../fixtures/pairwise.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, leave, otherTab, pay, widgetIn } from './widgetPage.ts'

const factors = {
  host: hosts,
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  redirectPage: ['self', 'new'],
  launch: [false, true],
  course: ['paid', 'declined', 'declined then paid', 'closed early', 'paid then closed'],
  returns: [true, false],
} as const

type Purchase = Combination<typeof factors>

/** Closing early needs a page that stays, and a surface with a way out of its own. */
const isPossible = ({ mode, redirectPage, course }: Purchase): boolean =>
  !course.includes('closed') || (mode !== 'iframe' && !(mode === 'redirect' && redirectPage === 'self'))

const rows = proofRuns(1, 0) > 0 ? product(factors).filter(isPossible) : pairwise(factors, isPossible)

/** How a shopper leaves each surface. An iframe has no way of its own, and a tab of its own is just closed. */
const leaveEarly: Record<Purchase['mode'], (shopper: Shopper, host: Tab) => Promise<void>> = {
  iframe: async () => {},
  modal: (_shopper, host) => host.page.click({ button: 'Close' }),
  popup: async (shopper, host) => (await otherTab(shopper, host)).close(),
  redirect: async (shopper, host) => (await otherTab(shopper, host)).close(),
}

for (const row of rows) {
  const { host, mode, redirectPage, launch, course, returns } = row
  const title = [
    host,
    mode,
    redirectPage,
    launch ? 'launch' : 'token',
    course,
    returns ? 'returns' : 'no return',
  ]
  test(title.join(', '), async ({ shopper, merchant, service }) => {
    merchant.page('/return.html', returnPage)
    service.sell({ returns })
    // Then the widget stays until the shopper leaves.
    if (course === 'paid then closed') await service.switch({ redirectTarget: 'none' })
    await openShop(merchant, host, { mode, redirectPage, launch })
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click(host === 'script tag' ? { css: '#buy' } : { button: 'Buy' })
    const widget = await widgetIn(shopper, tab, mode, redirectPage)
    await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
    await goThrough(row, shopper, tab, widget, service)
    await expectResult(row, shopper, tab, merchant, service)
    recordFigure(`purchase: ${title.join(', ')}, ${shopper.engine}`, 'right result, right tab, right address')
  })
}

/** A window that goes within two seconds can't be told from one that COOP cut off. */
async function leaveOnceSeen(mode: Purchase['mode'], shopper: Shopper, host: Tab): Promise<void> {
  if (mode !== 'modal') await sleep(4_000)
  await leaveEarly[mode](shopper, host)
}

async function goThrough(
  { mode, course }: Purchase,
  shopper: Shopper,
  host: Tab,
  widget: View,
  service: Service,
): Promise<void> {
  if (course === 'closed early') return leaveOnceSeen(mode, shopper, host)
  if (course.startsWith('declined')) {
    await pay(widget, cards.insufficientBalance)
    await expect.poll(() => widget.text({ css: '[role=alert]' })).toContain('balance')
    if (course === 'declined') return leave(shopper, widget, { declined: true })
  }
  await pay(widget, cards.success)
  if (course !== 'paid then closed') return leave(shopper, widget, { declined: false })
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  await leaveOnceSeen(mode, shopper, host)
}

async function expectResult(
  { mode, redirectPage, course, returns }: Purchase,
  shopper: Shopper,
  host: Tab,
  merchant: Merchant,
  service: Service,
): Promise<void> {
  const result = (): string[] =>
    merchant.reports().filter((entry) => /^(result|return page says) /.test(entry))
  if (course === 'closed early') {
    await expect.poll(result).toEqual(['result closed '])
    expect(await service.orders()).toEqual([])
    return
  }
  const [order] = await service.orders()
  const said = `${course === 'declined' ? 'failure' : 'success'} verified ${order?.id}`
  const returned = returns && course !== 'paid then closed'
  const leaves = redirectPage === 'self' && (returned || mode === 'redirect')
  if (returned) await expect.poll(result).toContain(`return page says ${said}`)
  if (!leaves) await expect.poll(result).toContain(`result ${said}`)
  if (!leaves) expect(new URL(await host.url()).pathname, 'the shop').toBe('/')
  if (leaves && returned) expect(new URL(await host.url()).pathname, 'the shop').toBe('/return.html')
  expect(await host.page.count('iframe'), 'frames left').toBe(0)
  if (leaves || !returned) expect((await shopper.tabs()).length, 'tabs').toBeLessThanOrEqual(2)
}
