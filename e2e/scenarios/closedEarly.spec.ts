// Promise: surface/closed-early
/**
 * The shopper closes the popup soon after its form shows, when the page cannot yet distinguish a closed popup from one hidden by
 * Cross-Origin-Opener-Policy. The page shows a message that is true in both cases, and reopens the window.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { english as strings } from '../../packages/loader/src/english.ts'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { product } from '../fixtures/pairwise.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { noticesOn, noticeWith } from './failureReport.ts'
import { cards, otherTab, pay } from './widgetPage.ts'

/** Seconds between the form's appearance and the close. */
const moments = full ? [0.1, 0.3, 0.7, 1.5, 3, 4] : [0.3]

const mode = 'popup'
const options = `{ companion: '/companion', mode: '${mode}', redirectPage: 'new' }`

/** The shops that open their popup by the link, and one that asks the companion first. */
const shops = [...hosts, 'a ticket'] as const

async function open(shop: (typeof shops)[number], merchant: Merchant, service: Service): Promise<void> {
  if (shop === 'a ticket') return merchant.page('/', hostPage({ options }))
  const given = { mode, redirectPage: 'new', pageToken: false, widgetOrigin: service.widgetUrl } as const
  await openShop(merchant, shop, given)
}

const rows = product({ shop: shops, seconds: moments })
/** Where the first file of two opens the popup, and by a ticket. */
const some = rows.filter(({ shop }) => shop === 'script tag' || shop === 'a ticket')

for (const { shop, seconds } of full ? rows : some)
  test(`${shop}: a popup that is closed ${seconds} s after its form shows is not reported as open, and Buy opens it again`, {
    tag: shop === 'script tag' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    await open(shop, merchant, service)
    const host = await shopper.visit(merchant.url)
    const popup = await openForm(shopper, host)
    await sleep(seconds * 1_000)
    await popup.close()
    const from = Date.now()
    await expect.poll(() => saysTruth(host, merchant), { intervals: [100] }).toBe(true)
    const after = Date.now() - from
    await openForm(shopper, host)
    expect(await service.orders()).toEqual([])
    recordFigure(
      `closed ${seconds} s after its form, ${shop}, ${shopper.engine}`,
      `truth after ${after} ms, reopened`,
    )
  })

test('a window that COOP hides and its replacement belong to the same purchase', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  await service.switch({ coop: 'same-origin' })
  await open('script tag', merchant, service)
  const host = await shopper.visit(merchant.url)
  const hidden = await openForm(shopper, host)
  const way = strings.openInNewWindow
  await expect.poll(() => noticeWith(host.page, way)).toMatchObject({ sentence: strings.windowLost })
  await host.page.click({ button: way })
  await expect.poll(async () => (await shopper.tabs()).length, 'windows').toBe(3)
  await pay(hidden.page, cards.success)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  const [order] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`result success verified ${order?.id}`)
})

/** Presses Buy, and waits for the form in the one other window. */
async function openForm(shopper: Shopper, host: Tab): Promise<Tab> {
  await host.page.click({ button: 'Buy' })
  const popup = await otherTab(shopper, host)
  await expect.poll(() => popup.page.text({ label: 'Email' }), 'the form').not.toBeNull()
  return popup
}

/** Either the purchase is final, or the page shows how to continue and does not claim that a window is open. */
async function saysTruth(host: Tab, merchant: Merchant): Promise<boolean> {
  if (merchant.reports().includes('result closed ')) return true
  const notices = await noticesOn(host.page)
  return notices.length === 1 && notices[0]?.sentence === strings.windowLost
}
