// Promise: loader/two-stages
/**
 * When the loader's second file is missing, late, forbidden or of another version, every click still works, the shopper reaches the widget, and
 * the result of the purchase is known.
 */
import { full, recordFigure } from '../../scripts/proof.ts'
import { returnPage } from '../fixtures/hostPage.ts'
import { type HostOptions, hosts, openShop } from '../fixtures/hosts.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { type Combination, product } from '../fixtures/pairwise.ts'
import { isSecond, type SecondFileFailure, secondFileFailures } from '../fixtures/secondFile.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { smallWindow } from './failureReport.ts'
import { cards, followBack, pay } from './widgetPage.ts'

test.use({ shopperOptions: smallWindow })

const offline = 'is asked for offline'
const factors = {
  host: hosts,
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  failure: Object.keys(secondFileFailures) as SecondFileFailure[],
} as const
type Row = Combination<typeof factors>
const wrongAnswers: readonly SecondFileFailure[] = [
  'is missing (404)',
  'is another one',
  'is empty',
  'is a page after a deploy',
]

/** Each failure once, in alternating places. A missing file also in the other place, because every engine runs it. */
const some: readonly Row[] = [
  { host: 'script tag', mode: 'modal', failure: 'is missing (404)' },
  { host: 'React', mode: 'popup', failure: 'is missing (404)' },
  { host: 'React', mode: 'modal', failure: 'does not come' },
  { host: 'script tag', mode: 'popup', failure: 'is another one' },
  { host: 'script tag', mode: 'modal', failure: 'is empty' },
  { host: 'React', mode: 'iframe', failure: 'takes 3 s' },
  { host: 'script tag', mode: 'popup', failure: "is forbidden by the page's policy" },
  { host: 'React', mode: 'popup', failure: 'is a page after a deploy' },
  { host: 'React', mode: 'modal', failure: offline },
]
/** In a frame, the page with the element opens it only once: what it does after a failure is the page's affair. */
const every = product(factors).filter(
  ({ host, mode, failure }) => host !== 'element' || mode !== 'iframe' || failure !== offline,
)
const rows = full ? every : some

/**
 * Half of the shoppers follow the widget back, the others open the shop again; React's shoppers do what the script tag's do not. All come back
 * where the shop's next page would fail to get the file, too: Chromium holds back a request while one for the same file hangs, and WebKit keeps a
 * wrong answer for a tab that opens the same address again, also of the two addresses that React's shop asks for offline.
 */
const comesBack = ({ host, mode, failure }: Row): boolean =>
  failure === 'does not come' ||
  (host === 'React' && failure === offline) ||
  (mode === 'popup' && wrongAnswers.includes(failure)) ||
  (factors.mode.indexOf(mode) + factors.failure.indexOf(failure) + Number(host === 'React')) % 2 === 0

for (const row of rows) {
  const { host, mode, failure } = row
  const known = comesBack(row) ? 'the return page knows the result' : 'the shop knows the result'
  test(`${host}, ${mode}: when the second file ${failure}, the shopper reaches the widget and pays, and ${known}`, {
    tag: failure === 'is missing (404)' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    const options: HostOptions = { mode, redirectPage: 'self', pageToken: false }
    await openShop(merchant, host, options)
    merchant.page('/return.html', returnPage)
    // Keeps the finished widget where it is.
    if (!comesBack(row)) await service.switch({ redirectTarget: 'none' })
    // Offline, only the page itself is there.
    if (failure === offline) merchant.intercept(secondFileFailures['is missing (404)'])
    else merchant.intercept(secondFileFailures[failure])
    const shop = await shopper.visit(merchant.url)
    if (failure === offline) await clickOffline(shopper, shop, merchant)
    await shop.page.click({ button: 'Buy' })
    const widget = await widgetAnywhere(shopper)
    await pay(widget, cards.success)
    if (comesBack(row)) await followBack(widget, merchant, options)
    const types = async () => (await service.orders()).map(({ type }) => type)
    await expect.poll(types).toEqual(['order_complete'])
    const result = `success verified ${(await service.orders())[0]?.id}`
    if (comesBack(row)) await expect.poll(merchant.reports).toContain(`return page says ${result}`)
    else {
      // The next page has the file.
      merchant.intercept(() => false)
      await shopper.visit(merchant.url)
      await expect.poll(merchant.reports).toContain(`pending ${result}`)
    }
    recordFigure(
      `second file ${failure}, ${host}, ${mode}, ${shopper.engine}`,
      `the shopper pays, and ${known}`,
    )
  })
}

/** A click without a network: nothing navigates, and a sentence says so. Then the network is back. */
async function clickOffline(shopper: Shopper, { page }: Tab, merchant: Merchant): Promise<void> {
  // No driver disconnects WebKit, so the page is told what a browser without a network would tell it.
  const setOnline = (isOnline: boolean): Promise<void> =>
    page.evaluate((isOnline) => {
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline })
      dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
    }, isOnline)
  merchant.intercept(secondFileFailures[offline])
  await setOnline(false)
  await page.click({ button: 'Buy' })
  await expect
    .poll(() => page.text({ css: 'p[role=alert]' }))
    .toBe('The purchase could not be started. You have not been charged.')
  await expect.poll(async () => (await shopper.tabs()).length, 'tabs').toBe(1)
  expect(await page.count('h1')).toBe(1)
  merchant.intercept(() => false)
  await setOnline(true)
}

for (const host of ['script tag', 'element'] as const)
  test(`${host}: a second file that failed to load is requested again at another address`, {
    // Engines differ in how they cache a failed module.
    tag: host === 'element' ? [] : oneEngine,
  }, async ({ shopper, merchant }) => {
    await openShop(merchant, host, { mode: 'modal', redirectPage: 'self', pageToken: false })
    const asked: string[] = []
    merchant.intercept(({ url }, response) => {
      if (!isSecond(url)) return false
      asked.push(`${url}`)
      return asked.length === 1 && Boolean(response.writeHead(503).end())
    })
    const shop = await shopper.visit(merchant.url)
    // The page requests the file when it is idle.
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await shop.page.click({ button: 'Buy' })
    await expect.poll(() => shop.frame('iframe').text({ label: 'Email' })).not.toBeNull()
    expect(new Set(asked).size).toBe(asked.length)
  })

test('element, popup without a link: a second file that hangs ends the opening, and the next click requests it at another address', {
  tag: oneEngine,
}, async ({ shopper, merchant }) => {
  await openShop(merchant, 'element', { mode: 'popup', redirectPage: 'self', pageToken: true })
  const asked: string[] = []
  merchant.intercept(({ url }) => isSecond(url) && asked.push(`${url}`) === 1)
  const shop = await shopper.visit(merchant.url)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await shop.page.click({ button: 'Buy' })
  const openTabs = async (): Promise<number> => (await shopper.tabs()).length
  expect(await openTabs()).toBe(2)
  await expect.poll(openTabs, { timeout: 20_000 }).toBe(1)
  expect(await shop.page.text({ css: 'p[role=alert]' })).toBe(
    'The purchase could not be started. You have not been charged.',
  )
  await shop.page.click({ button: 'Buy' })
  await widgetAnywhere(shopper)
  expect(new Set(asked).size).toBe(2)
})

/** The widget: in this tab, in the click's window, or in a frame once the second file has come. */
async function widgetAnywhere(shopper: Shopper): Promise<View> {
  let found: View | undefined
  const findWidget = async (): Promise<boolean> => {
    for (const { page, frame } of await shopper.tabs()) {
      const isFramed = (await page.count('iframe').catch(() => 0)) > 0
      for (const view of isFramed ? [frame('iframe')] : [page])
        if ((await view.text({ label: 'Email' }).catch(() => null)) !== null) found = view
    }
    return !!found
  }
  await expect.poll(findWidget, 'the widget').toBe(true)
  if (!found) throw new Error('No tab shows the widget.')
  return found
}
