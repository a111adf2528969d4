// Promise: widget/languages
/** The widget page in each of its languages. */
import { expect, test } from 'vitest'
import { full } from '../../../../scripts/proof.ts'
import { languages } from '../../src/widget/languages.ts'
import { aboveLowLimit, shopForTests } from './shop.ts'

const tags = Object.keys(languages)
const shop = await shopForTests()

test('at 320 pixels nothing is cut in any language', { timeout: 120_000 }, async () => {
  await shop.page.setViewportSize({ width: 320, height: 640 })
  for (const tag of tags) {
    await shop.page.goto(await shop.widgetAddress({ ...aboveLowLimit, locale: tag, shop_name: 'Lantern' }))
    await shop.page.locator('.pay > .quiet').waitFor()
    expect(await shop.page.evaluate(() => document.documentElement.lang)).toBe(tag)
    await shop.page.locator('summary').click()
    expect(await shop.page.evaluate(cutParts), `${tag}: pay`).toEqual([])
  }
})

test.for(full ? tags : ['de', 'ru', 'ar'])(
  'in %s at 320 pixels a decline and the step that asks for a document are whole',
  async (tag) => {
    await shop.page.setViewportSize({ width: 320, height: 640 })
    await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100', locale: tag }))
    await shop.page.locator('[name=email]').fill('ada@example.com')
    await shop.page.locator('[name=card_number]').fill('4000 0000 0000 4004')
    await shop.page.locator('[name=expiry_date]').fill('12/49')
    await shop.page.locator('[name=security_code]').fill('123')
    await shop.page.locator('form .button').click()
    await shop.page.getByRole('alert').waitFor()
    expect(await shop.page.evaluate(cutParts)).toEqual([])
    await shop.page.goto(await shop.widgetAddress({ ...aboveLowLimit, locale: tag }))
    await shop.page.locator('.pay > .quiet').click()
    await shop.page.locator('.identity').waitFor()
    expect(await shop.page.evaluate(cutParts)).toEqual([])
  },
)

/** Runs in the page: what stands outside the window, or does not fit its own box. */
function cutParts(): string[] {
  const parts = [
    ...document.querySelectorAll('main :is(button, a, input, h1, h2, p, label, legend, dd, span)'),
  ]
  const cut = parts.filter((part) => {
    if (part.closest('.unseen')) return false
    const { left, right, width } = part.getBoundingClientRect()
    const overflows = part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1
    return width > 0 && (left < 0 || right > innerWidth || overflows)
  })
  return cut.map(({ outerHTML }) => outerHTML)
}

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

test('without a locale the page speaks the browser’s language', async () => {
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
