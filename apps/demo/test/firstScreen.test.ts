// Promise: demo/first-screen
/** A new visitor's first minute: what the first screen shows before and after the scripts load. */
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { openDemo, openWithScripts } from './support.ts'

const { demo, newProfile } = await openDemo()

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await newProfile(options)).newPage()
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

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

test('the first screen of each size explains the demo and shows what to press, and loading fonts shifts nothing', async () => {
  const [page, bare] = [await open('/'), await (await newProfile()).newPage()]
  await bare.route('**/*.woff2', (route) => route.abort())
  await bare.goto(demo.url)
  await page.evaluate(() => document.fonts.ready)
  for (const size of [{ width: 320, height: 640 }, phone, { width: 768, height: 1024 }, desktop]) {
    const [shown, before] = [await firstScreenOf(page, size), await firstScreenOf(bare, size)]
    for (const [place, { top, bottom }] of Object.entries(shown)) {
      expect(top, place).toBeGreaterThanOrEqual(0)
      expect(bottom, `${place} at ${size.width} px`).toBeLessThanOrEqual(size.height)
    }
    expect(before, `before the fonts at ${size.width} px`).toEqual(shown)
  }
})

async function firstScreenOf(
  page: Page,
  size: { width: number; height: number },
): Promise<Record<string, { top: number; bottom: number }>> {
  await page.setViewportSize(size)
  return {
    about: await edgesOf(page.getByText('A demo of the purchase widget toolkit.')),
    claim: await edgesOf(claim(page)),
    whom: await edgesOf(page.getByText('A demo shop for developers')),
    buy: await edgesOf(buy(page)),
  }
}

test('on a desktop, code and story are on the first screen too, and the code is copied as shown', async () => {
  const page = await open('/token', {
    viewport: desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const expectOnScreen = async (...places: Locator[]): Promise<void> => {
    for (const place of places) expect((await edgesOf(place)).bottom).toBeLessThanOrEqual(desktop.height)
  }
  await expectOnScreen(claim(page), buy(page), code(page), story(page))
  await openWithScripts(page, `${demo.url}/?product=north-keep`)
  await expectOnScreen(claim(page), buy(page), code(page), story(page))
  await page.getByRole('tab', { name: 'React' }).click()
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe((await code(page).textContent())?.trimEnd())
  expect(copied).toContain('PurchaseButton')
})

test('a purchase is two clicks away, with its story one scroll away on a phone', async () => {
  const page = await (await newProfile({ viewport: phone })).newPage()
  await openWithScripts(page, demo.url)
  expect((await edgesOf(story(page))).bottom).toBeLessThanOrEqual(2 * phone.height)
  let clicks = 0
  /** Fails if the target is off-screen; Playwright's own click would scroll to it. */
  async function clickInSight(place: Locator): Promise<void> {
    await place.hover()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect(await place.evaluate(() => scrollY)).toBe(0)
    expect((await edgesOf(place)).bottom).toBeLessThanOrEqual(phone.height)
    await place.click()
    clicks++
  }
  await clickInSight(buy(page))
  await clickInSight(page.frameLocator('iframe').getByRole('button', { name: 'Fill in a test card and pay' }))

  await page.waitForURL(/\/return/)
  await page.getByTestId('purchase-result').getByText('It’s yours').waitFor()
  await story(page).getByText('Delivers', { exact: true }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect((await edgesOf(story(page))).bottom).toBeLessThanOrEqual(2 * phone.height)
  expect(clicks).toBe(2)
  recordFigure('Clicks from the first screen to a delivered purchase', clicks)
})

test('before any script has loaded, the whole page is readable, and a click opens the checkout', async () => {
  const page = await open('/', { javaScriptEnabled: false })
  expect(await claim(page).textContent()).toBe('A checkout in one line')
  expect(await code(page).textContent()).toContain('/api/purchase-widget/purchase-widget.js')
  expect(await page.getByText('Bitcoin').first().isVisible()).toBe(true)
  const console = await page.getByRole('link', { name: 'Sandbox console' }).getAttribute('href')
  expect((await fetch(`${console}`)).headers.get('content-type')).toContain('text/html')
  const action = await page.locator('form.checkout').getAttribute('action')
  const answer = await page
    .context()
    .request.get(`${demo.url}${action}?product_id=gold-100`, { maxRedirects: 0 })
  expect(answer.headers().location).toContain(demo.sandbox.urls.widgetUrl)
})
