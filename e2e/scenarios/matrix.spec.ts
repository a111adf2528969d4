// Promise: loader/redirect-page
/**
 * A whole purchase in every way: Chromium covers each pair of host, mode, `redirect_page`, token location, course and return address,
 * and every engine covers what moves a window or a tab; with `EVIDENCE=full` every combination runs. The table in docs/sell.md
 * specifies the final locations.
 */
import { full, recordFigure } from '../../scripts/proof.ts'
import { returnPage } from '../fixtures/hostPage.ts'
import { hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { type Combination, pairwise, product } from '../fixtures/pairwise.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, followBack, otherTab, pay, widgetIn } from './widgetPage.ts'

const factors = {
  host: hosts,
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  redirectPage: ['self', 'new'],
  pageToken: [false, true],
  course: ['paid', 'declined', 'declined then paid', 'closed early', 'paid then closed'],
  returns: [true, false],
} as const

type Purchase = Combination<typeof factors>

/** `coop` and the loader's phases cover paying after a decline; `pendingResult` and the loader's own tests cover closing after payment. */
const some = { ...factors, course: ['paid', 'declined', 'closed early'] } as const

const rows: readonly Purchase[] = full ? product(factors) : pairwise(some)
/** Engines differ in how windows open, move and close. `contentSecurityPolicy` covers a dialog with `self`, and a popup with `new`. */
const isSample = ({ mode, redirectPage }: Purchase, index: number): boolean =>
  rows.findIndex((row) => row.mode === mode && row.redirectPage === redirectPage) === index &&
  (mode === 'redirect' || mode === (redirectPage === 'self' ? 'popup' : 'modal'))

for (const [index, row] of rows.entries()) {
  const { host, mode, redirectPage, pageToken, course, returns } = row
  const title = [
    host,
    mode,
    redirectPage,
    pageToken ? 'token' : 'launch',
    course,
    returns ? 'returns' : 'no return',
  ]
  test(`${title.join(', ')}: the purchase ends with its own result, in the documented place`, {
    tag: isSample(row, index) ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    merchant.page('/return.html', returnPage)
    service.sell({ returns })
    // Keeps the widget open until the shopper leaves.
    if (course === 'paid then closed') await service.switch({ redirectTarget: 'none' })
    await openShop(merchant, host, { mode, redirectPage, pageToken })
    const tab = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    await tab.page.click(host === 'script tag' ? { css: '#buy' } : { button: 'Buy' })
    const widget = await widgetIn(shopper, tab, mode, redirectPage)
    await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
    await goThrough(row, { shopper, merchant, service, tab, widget })
    await expectResult(row, { shopper, merchant, service, tab, widget })
    recordFigure(`purchase: ${title.join(', ')}, ${shopper.engine}`, 'right result, right tab, right address')
  })
}

interface Scene {
  shopper: Shopper
  merchant: Merchant
  service: Service
  /** The shop's tab. */
  tab: Tab
  widget: View
}

async function goThrough(row: Purchase, scene: Scene): Promise<void> {
  const { course } = row
  const { widget, service, merchant } = scene
  if (course === 'closed early') return leaveEarly(row, scene)
  if (course.startsWith('declined')) {
    await pay(widget, cards.insufficientBalance)
    await expect.poll(() => widget.text({ css: '[role=alert]' })).toContain('balance')
    if (course === 'declined') return widget.click({ link: 'Return to shop' })
  }
  await pay(widget, cards.success)
  if (course !== 'paid then closed') return followBack(widget, merchant, row)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  await leaveEarly(row, scene)
}

/** Leaves each surface as a shopper would: with the page's button for a frame, and by navigating away where the widget replaced the shop. */
async function leaveEarly(
  { mode, redirectPage }: Purchase,
  { shopper, merchant, tab }: Scene,
): Promise<void> {
  if (mode === 'redirect' && redirectPage === 'self') return void (await shopper.visit(merchant.url))
  // A window that closes sooner is indistinguishable from one severed by COOP.
  await expect.poll(() => merchant.reports()).toContain('state loaded')
  if (mode === 'iframe') return tab.page.click({ button: 'Leave' })
  if (mode === 'modal') return tab.page.click({ button: 'Close' })
  await (await otherTab(shopper, tab)).close()
}

async function expectResult(
  { mode, redirectPage, course, returns }: Purchase,
  { shopper, merchant, service, tab }: Scene,
): Promise<void> {
  const reportsOf = (about: RegExp): string[] => merchant.reports().filter((entry) => about.test(entry))
  const inThisTab = mode === 'redirect' && redirectPage === 'self'
  if (course === 'closed early') {
    // A page that is shown again has no result, as on its first visit.
    if (inThisTab)
      await expect.poll(() => reportsOf(/^pending/)).toEqual(['pending nothing', 'pending nothing'])
    else await expect.poll(() => reportsOf(/^(result|return page says) /)).toEqual(['result closed '])
    expect(await service.orders()).toEqual([])
    return
  }
  const [order] = await service.orders()
  const expected = `${course === 'declined' ? 'failure' : 'success'} verified ${order?.id}`
  const returned = returns && course !== 'paid then closed'
  const leaves = inThisTab || (redirectPage === 'self' && returned)
  if (returned) await expect.poll(merchant.reports).toContain(`return page says ${expected}`)
  if (!leaves) await expect.poll(merchant.reports).toContain(`result ${expected}`)
  if (inThisTab && course === 'paid then closed')
    await expect.poll(merchant.reports).toContain(`pending ${expected}`)
  const path = leaves && returned ? '/return.html' : inThisTab && course !== 'paid then closed' ? null : '/'
  if (path) await expect.poll(async () => new URL(await tab.url()).pathname, 'the shop').toBe(path)
  await expect.poll(() => tab.page.count('iframe'), 'frames left').toBe(0)
  await expect.poll(async () => (await shopper.tabs()).length, 'tabs').toBeLessThanOrEqual(2)
}
