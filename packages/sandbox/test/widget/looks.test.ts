// Promises: widget/accessible, widget/languages
/** The appearance of each step of the widget page: to axe, on a narrow phone, and in each language. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { afterAll, expect, test } from 'vitest'
import { full, recordFigure } from '../../../../scripts/proof.ts'
import { languages } from '../../src/widget/languages.ts'
import { aboveLowLimit, fillPayment, pay, shopForTests } from './shop.ts'

const tags = Object.keys(languages)
const shop = await shopForTests()
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const gold = { product_id: 'gold-1200' }
const club = { product_id: 'club-monthly' }

async function open(params: Record<string, string>): Promise<void> {
  await shop.page.goto(await shop.widgetAddress(params))
  await shop.page.locator('.pay').waitFor()
}

const press = (selector: string): Promise<void> => shop.page.locator(selector).click()

/** Each step, and how a shopper reaches it in any language. */
const steps = {
  async pay(locale: string) {
    await open({ ...aboveLowLimit, locale, shop_name: 'Lantern' })
    await press('summary')
  },
  choose: (locale: string) => open({ locale }),
  subscribe: (locale: string) => open({ ...club, locale }),
  async corrections(locale: string) {
    await open({ ...gold, locale })
    await fillPayment(shop.page, { card: '4242 42', expiry: '13/29', code: '1' })
    await press('.pay > .button')
    await shop.page.locator('#card_number-error').waitFor()
  },
  async declined(locale: string) {
    await open({ ...gold, locale, fail_redirect_url: `${shop.url}/sorry` })
    await pay(shop.page, { card: '4000 0000 0000 4004' })
    await shop.page.getByRole('alert').waitFor()
  },
  async identity(locale: string) {
    await open({ ...aboveLowLimit, locale })
    await pay(shop.page)
    await press('.camera button')
  },
  async complete(locale: string) {
    await open({ ...gold, locale, redirect_url: `${shop.url}/thanks`, redirect_page: 'new' })
    await pay(shop.page)
    await shop.page.locator('.way-on [role=status]:not(:empty)').waitFor()
  },
  async subscribed(locale: string) {
    await open({ ...club, locale })
    await pay(shop.page)
    await press('.renewal .quiet')
  },
  async refused(locale: string) {
    await shop.page.goto(await shop.widgetAddress({ locale }, 'expired-long-ago'))
    await shop.page.getByRole('alert').waitFor()
  },
}

const schemes = ['light', 'dark'] as const

test.for(Object.entries(steps).map(([name, reach], index) => [name, reach, index] as const))(
  'the step %s passes axe and fits 320 pixels',
  async ([, reach, index]) => {
    await shop.page.emulateMedia({ reducedMotion: 'reduce' })
    await reach('en')
    await shop.page.evaluate(axe)
    // Each step uses one of the schemes in turn, and both in the full run.
    for (const colorScheme of schemes.filter((_, scheme) => full || scheme === index % 2)) {
      await shop.page.emulateMedia({ colorScheme })
      expect(await violations(), colorScheme).toEqual([])
    }
    await shop.page.setViewportSize({ width: 320, height: 568 })
    expect(await shop.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await shop.page.evaluate(cutParts)).toEqual([])
  },
)

const figures = { looks: 0, violations: 0 }
afterAll(() =>
  recordFigure('widget page: axe violations', `${figures.violations} in ${figures.looks} looks at its steps`),
)

async function violations(): Promise<string[]> {
  const { violations } = await shop.page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  figures.looks += 1
  figures.violations += violations.length
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test('at 320 pixels the form is complete in every language', { timeout: 120_000 }, async () => {
  await shop.page.setViewportSize({ width: 320, height: 640 })
  for (const tag of tags) {
    await steps.pay(tag)
    expect(await shop.page.evaluate(() => document.documentElement.lang)).toBe(tag)
    expect(await shop.page.evaluate(cutParts), tag).toEqual([])
  }
})

test.for(full ? tags : ['de', 'ru', 'ar'])(
  'in %s at 320 pixels, a decline and the identity step are complete',
  async (tag) => {
    await shop.page.setViewportSize({ width: 320, height: 640 })
    for (const reach of [steps.declined, steps.identity]) {
      await reach(tag)
      expect(await shop.page.evaluate(cutParts)).toEqual([])
    }
  },
)

/** Runs in the page: finds elements outside the window or overflowing their own box. The row of offers may overflow, because it scrolls. */
function cutParts(): string[] {
  const parts = [
    ...document.querySelectorAll('main :is(button, a, input, h1, h2, p, label, legend, dd, span)'),
  ]
  const cut = parts.filter((part) => {
    if (part.closest('.unseen, .cards')) return false
    const { left, right, width } = part.getBoundingClientRect()
    const overflows = part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1
    return width > 0 && (left < 0 || right > innerWidth || overflows)
  })
  return cut.map(({ outerHTML }) => outerHTML)
}

test('with reduced motion nothing moves', async () => {
  await shop.page.emulateMedia({ reducedMotion: 'reduce' })
  await steps.complete('en')
  expect(await shop.page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('a dark page is dark from its first paint', async () => {
  await shop.useProfile({ colorScheme: 'dark' })
  await shop.page.route('**/*.js', () => {})
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }), { waitUntil: 'commit' })
  await shop.page.waitForFunction(() => document.styleSheets.length > 0)
  const ground = await shop.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(ground).toBe('rgb(9, 13, 12)')
})

test.for(['ar', 'he'])('in %s the page runs from the right, and numbers from the left', async (locale) => {
  await shop.page.setViewportSize({ width: 1000, height: 700 })
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100', locale }))
  const summary = await shop.page.locator('.summary').boundingBox()
  const form = await shop.page.locator('form').boundingBox()
  expect(summary?.x).toBeGreaterThan(form?.x ?? Number.POSITIVE_INFINITY)
  const expiry = await shop.page.locator('[name=expiry_date]').boundingBox()
  const code = await shop.page.locator('[name=security_code]').boundingBox()
  expect(expiry?.x).toBeLessThan(code?.x ?? 0)
  const directions = await shop.page
    .locator('input, .price bdi')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).direction))
  expect(new Set(directions)).toEqual(new Set(['ltr']))
  expect(await shop.page.locator('form .button').textContent()).toContain('\u20680.99\u00a0USD\u2069')
})

test('without a locale the page uses the browser’s language', async () => {
  await shop.useProfile({ locale: 'sv-SE' })
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }))
  await shop.page.getByRole('button', { name: 'Betala 0.99 USD' }).waitFor()
})

test('the page shows the shop’s name and logo where it was given them', async () => {
  const logo = `${shop.sandbox.urls.baseUrl}/logo.svg`
  await shop.page.route(logo, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="28"/>',
    }),
  )
  await shop.open({ product_id: 'gold-100', shop_name: 'Lantern Street', shop_logo: logo })
  expect(await shop.page.title()).toBe('Checkout · Lantern Street')
  const image = shop.page.locator('.shop img')
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40)
  await shop.open({ product_id: 'gold-100', shop_logo: 'javascript:alert(1)' })
  expect(await shop.page.locator('.shop').count()).toBe(0)
})
