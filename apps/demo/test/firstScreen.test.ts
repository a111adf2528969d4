/** A stranger's first minute: what the first screen shows, before and after the scripts have come. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { launchChromium, newProfile, openWithScripts } from './browser.ts'

let demo: Demo
let browser: Browser
beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
})
afterAll(async () => {
  await browser.close()
  await demo.close()
})

const contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function open(path: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await newProfile(browser, options)
  contexts.push(context)
  const page = await context.newPage()
  await page.goto(demo.url + path)
  return page
}

async function edgesOf(place: Locator): Promise<{ top: number; bottom: number }> {
  const box = await place.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return { top: box.y, bottom: box.y + box.height }
}

const claim = (page: Page): Locator => page.getByRole('heading', { level: 1 })
const code = (page: Page): Locator => page.locator('.code pre')
const buy = (page: Page): Locator => page.getByRole('button', { name: /^Buy/ })
const story = (page: Page): Locator => page.getByRole('region', { name: 'What happens' })

test.each(['/', '/?product=north-keep', '/token'])(
  'claim, code, button and story are on a desktop’s first screen: %s',
  async (path) => {
    const page = await open(path, { viewport: { width: 1280, height: 800 } })
    for (const place of [claim(page), buy(page), code(page), story(page)]) {
      const { top, bottom } = await edgesOf(place)
      expect(top).toBeGreaterThan(0)
      expect(bottom).toBeLessThanOrEqual(800)
    }
  },
)

test.each([
  ['with its fonts', false],
  ['before its fonts have come', true],
])(
  'claim and button are on a phone’s first screen, and the story is one scroll away: %s',
  async (_when, bare) => {
    const context = await newProfile(browser, { viewport: { width: 390, height: 844 } })
    contexts.push(context)
    if (bare) await context.route('**/*.woff2', (route) => route.abort())
    const page = await context.newPage()
    await page.goto(demo.url)
    for (const place of [claim(page), buy(page)])
      expect((await edgesOf(place)).bottom).toBeLessThanOrEqual(844)
    expect((await edgesOf(story(page))).bottom).toBeLessThanOrEqual(2 * 844)
  },
)

test.each([
  ['without scrolling on a desktop', { width: 1280, height: 800 }, 1],
  ['one scroll away on a phone', { width: 390, height: 844 }, 2],
])('a purchase is two clicks away, with its story %s', async (_where, viewport, screens) => {
  const context = await newProfile(browser, { viewport })
  contexts.push(context)
  const page = await context.newPage()
  await openWithScripts(page, demo.url)
  let clicks = 0
  /** As a hand does it: what is out of sight would be scrolled to. */
  async function clickInSight(place: Locator): Promise<void> {
    await place.hover()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect(await place.evaluate(() => scrollY)).toBe(0)
    expect((await edgesOf(place)).bottom).toBeLessThanOrEqual(viewport.height)
    await place.click()
    clicks++
  }
  await clickInSight(buy(page))
  await clickInSight(page.frameLocator('iframe').getByRole('button', { name: 'Fill in a test card and pay' }))

  await page.waitForURL(/\/return/)
  await page.getByText('It’s yours').waitFor()
  const delivered = story(page).getByText('Delivers', { exact: true })
  await delivered.waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect((await edgesOf(story(page))).bottom).toBeLessThanOrEqual(screens * viewport.height)
  expect(clicks).toBe(2)
  recordFigure(`Clicks from the first screen to a delivered purchase (${viewport.width} px)`, clicks)
})

test('there is all of it to read before any script has come', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
  expect(await claim(page).textContent()).toBe('A checkout in one line')
  expect(await code(page).textContent()).toContain('/api/purchase-widget/purchase-widget.js')
  expect(
    await page.getByRole('heading', { name: 'Bitcoin' }).or(page.getByText('Bitcoin')).first().isVisible(),
  ).toBe(true)
})

test('a click before any script has come leads to the checkout', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
  const action = await page.locator('form.checkout').getAttribute('action')
  const answer = await page
    .context()
    .request.get(`${demo.url}${action}?product_id=gold-100`, { maxRedirects: 0 })
  expect(answer.headers().location).toContain(demo.sandbox.urls.widgetUrl)
})

test('the sandbox’s console is linked, and there', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 } })
  const href = await page.getByRole('link', { name: 'Sandbox console' }).getAttribute('href')
  expect((await fetch(`${href}`)).headers.get('content-type')).toContain('text/html')
})

test('the code is copied as it is shown', async () => {
  const page = await open('/', {
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('tab', { name: 'React' }).click()
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe((await code(page).textContent())?.trimEnd())
  expect(copied).toContain('PurchaseButton')
})
