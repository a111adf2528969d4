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

test.each(['/', '/?product=north-keep', '/plain.html'])(
  'claim, code, button and story are on a desktop’s first screen: %s',
  async (path) => {
    const page = await open(path, { viewport: { width: 1280, height: 800 } })
    const button = buy(page).or(page.locator('a#buy'))
    for (const place of [claim(page), button, code(page), story(page)]) {
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
  'claim, button and code are on a phone’s first screen, and the story is one scroll away: %s',
  async (_when, bare) => {
    const context = await newProfile(browser, { viewport: { width: 390, height: 844 } })
    contexts.push(context)
    if (bare) await context.route('**/*.woff2', (route) => route.abort())
    const page = await context.newPage()
    await page.goto(demo.url)
    for (const place of [claim(page), buy(page)])
      expect((await edgesOf(place)).bottom).toBeLessThanOrEqual(844)
    // Its first lines.
    expect((await edgesOf(code(page))).top).toBeLessThanOrEqual(844 - 100)
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

  await page.waitForURL(/\/return\.html/)
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

test('what is chosen and clicked before any script has come is not lost', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
  const form = page.locator('form.checkout')
  const action = await form.getAttribute('action')
  const answer = await page
    .context()
    .request.get(`${demo.url}${action}?product_id=gold-100`, { maxRedirects: 0 })
  expect(answer.headers().location).toContain(demo.sandbox.urls.widgetUrl)

  const context = await newProfile(browser)
  contexts.push(context)
  const late = await context.newPage()
  let go = (): void => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await late.route('**/*.js', async (route) => {
    await held
    await route.continue()
  })
  await late.goto(demo.url, { waitUntil: 'commit' })
  await late.getByLabel('Checkout in').selectOption('de')
  go()
  await late.waitForURL(/locale=de/)
  expect(await late.getByLabel('Checkout in').inputValue()).toBe('de')
})

test('console, documentation and source are linked, and there', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 } })
  for (const name of ['Sandbox console', 'Documentation', 'Source']) {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    const answer = await fetch(new URL(href ?? '', demo.url))
    expect(answer.status, name).toBe(200)
    expect(answer.headers.get('content-type'), name).toContain('text/html')
  }
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

test.each([
  ['Deutsch', 'Schließen', 'ltr'],
  ['العربية', 'إغلاق', 'rtl'],
  ['日本語', '閉じる', 'ltr'],
  ['ไทย', 'ปิด', 'ltr'],
])('the checkout speaks %s', async (name, close, direction) => {
  const page = await open('/', { viewport: { width: 390, height: 844 } })
  await page.getByLabel('Checkout in').selectOption({ label: name })
  await page.waitForURL(/locale=/)
  // Its language is a file of its own.
  await expect.poll(() => buy(page).getAttribute('aria-busy')).toBe('false')
  await buy(page).click()
  const button = page.getByRole('dialog').getByRole('button', { name: close })
  await button.waitFor()
  expect(await button.evaluate((element) => getComputedStyle(element).direction)).toBe(direction)
})

test('a click before the language is there opens the checkout in it', async () => {
  const page = await open('/', { viewport: { width: 1280, height: 800 } })
  let send = (): void => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route(/\/ar-[^/]+\.js$/, (route) => sent.then(() => route.continue()))
  await page.getByLabel('Checkout in').selectOption({ label: 'العربية' })
  await page.getByText('Getting the language…').waitFor()
  await buy(page).click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  send()
  await page.getByRole('dialog').getByRole('button', { name: 'إغلاق' }).waitFor()
})

test('the script tag’s page speaks the language whose file the companion serves', async () => {
  const page = await open('/plain.html?locale=pt-BR', { viewport: { width: 390, height: 844 } })
  await page.locator('a#buy').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).waitFor()
})
