// Promise: loader/two-stages
/** When the loader's second file is missing, late or of another version, every click still works, and the shopper reaches the widget. */
import { full, recordFigure } from '../../scripts/proof.ts'
import { type HostOptions, hosts, openShop } from '../fixtures/hosts.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import { type Combination, pairwise, product } from '../fixtures/pairwise.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, View } from './driver.ts'
import { smallWindow } from './failureReport.ts'
import { cards, pay } from './widgetPage.ts'

/** The script tag's second file, and the chunk of the two other hosts. */
const isSecond = (url: string | undefined): boolean =>
  /\/(purchase-widget\.rest|rest(Again)?)[-.][^/]*js/.test(`${url}`)

const failures = {
  'is missing (404)': ({ url }, response) => isSecond(url) && Boolean(response.writeHead(404).end()),
  'does not come': ({ url }) => isSecond(url),
  'is another one': ({ url }, response) => {
    if (!isSecond(url)) return false
    response.writeHead(200, { 'content-type': 'text/javascript' }).end('throw new Error("another version")')
    return true
  },
  'is empty': ({ url }, response) =>
    isSecond(url) && Boolean(response.writeHead(200, { 'content-type': 'text/javascript' }).end()),
} satisfies Record<string, Interceptor>

test.use({ shopperOptions: smallWindow })

const factors = {
  host: hosts,
  mode: ['iframe', 'modal', 'popup', 'redirect'],
  failure: ['is missing (404)', 'does not come', 'is another one', 'is empty'],
} as const
const some = { ...factors, host: ['script tag', 'React'], mode: ['modal', 'popup'] } as const
const rows: readonly Combination<typeof factors>[] = full ? product(factors) : pairwise(some)

for (const { host, mode, failure } of rows)
  test(`${host}, ${mode}: when the second file ${failure}, the shopper reaches the widget, and pays`, {
    tag: failure === 'is missing (404)' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    const options: HostOptions = { mode, redirectPage: 'self', pageToken: false }
    await openShop(merchant, host, options)
    merchant.intercept(failures[failure])
    const shop = await shopper.visit(merchant.url)
    await shop.page.click({ button: 'Buy' })
    const form = await widgetAnywhere(shopper)
    await pay(form, cards.success)
    const types = async () => (await service.orders()).map(({ type }) => type)
    await expect.poll(types).toEqual(['order_complete'])
    recordFigure(`second file ${failure}, ${host}, ${mode}, ${shopper.engine}`, 'the shopper pays')
  })

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

/** The widget as a top-level page: in this tab or in the click's window. */
async function widgetAnywhere(shopper: Shopper): Promise<View> {
  let found: View | undefined
  const findWidget = async (): Promise<boolean> => {
    for (const { page } of await shopper.tabs())
      if ((await page.text({ label: 'Email' }).catch(() => null)) !== null) found = page
    return !!found
  }
  await expect.poll(findWidget, 'the widget').toBe(true)
  if (!found) throw new Error('No tab shows the widget.')
  return found
}
