// Promises: demo/story, demo/reload
/** The shop's pages in a browser: accessible, steady, and under their own policy. */
import { AxeBuilder } from '@axe-core/playwright'
import { createControl } from '@purchase-widget/sandbox/testing'
import type { BrowserContextOptions, Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { full, recordFigure } from '../../../scripts/proof.ts'
import { openDemo, openWithScripts } from './support.ts'

const { demo, newProfile } = await openDemo()

const desktop = { width: 1280, height: 900 }

/** A visitor's page, and all browser errors and warnings. */
async function openPage(
  path: string,
  options: BrowserContextOptions = { viewport: desktop },
): Promise<{ page: Page; complaints: string[] }> {
  const context = await newProfile(options)
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  const page = await context.newPage()
  await page.goto(demo.url + path)
  return { page, complaints }
}

/** Pays with the card that the widget's form fills in itself. */
async function pay(page: Page): Promise<void> {
  await page.frameLocator('iframe').getByRole('button', { name: 'Fill in a test card and pay' }).click()
  await page.getByTestId('purchase-result').waitFor()
}

async function violationsOf(axe: AxeBuilder): Promise<string[][]> {
  // Legacy mode opens no extra page; it does not check frames, but the shop has none of its own here.
  const { violations } = await axe
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

const schemes = ['light', 'dark'] as const

// Each scheme on two pages, and on all pages in the full run.
test.each([
  ['/', 'light', 'A checkout in one line'],
  ['/token', 'dark', 'With a token in the page'],
  ['/orders', 'dark', 'Nothing yet.'],
  ['/return', 'light', 'This address names no purchase'],
  ['/nothing', 'light', 'There is no such page'],
] as const)(
  'the page %s has nothing for axe to find, and fits a phone of 320 px',
  async (path, scheme, sentence) => {
    // Without transitions, so that no colour is checked mid-transition.
    const { page } = await openPage(path, { viewport: desktop, reducedMotion: 'reduce' })
    await page.getByText(sentence).first().waitFor()
    for (const colorScheme of full ? schemes : [scheme]) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    expect(await tooSmallToPress(page)).toEqual([])
  },
)

/** Finds touch targets below 24 px. */
const tooSmallToPress = (page: Page) =>
  page.locator('a, button, label, input').evaluateAll((all) =>
    all
      .filter((one) => !one.closest('label') || one.matches('label'))
      // A link in a sentence is only as high as its line.
      .filter((one) => !(one.matches('p > a') && one.parentElement?.textContent !== one.textContent))
      .map((one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 0 && Math.min(width, height) < 24),
  )

/** Returns a function that asserts that nothing has moved since. */
async function watchPlaces(page: Page): Promise<() => Promise<void>> {
  const places = page.locator('h1, h2, fieldset, .checkout, .story')
  const placesOf = () => places.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
  await page.evaluate(() => document.fonts.ready)
  const before = await placesOf()
  return async () => expect(await placesOf()).toEqual(before)
}

test('opening a framed widget shifts nothing on the page', async () => {
  const { page, complaints } = await openPage('/?mode=iframe', { viewport: { width: 360, height: 740 } })
  const expectNothingMoved = await watchPlaces(page)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  await expectNothingMoved()
  recordFigure('Pixels moved when the widget opens in the page', 0)
  expect(complaints).toEqual([])
})

test('a purchase shows its story, shifts nothing on a narrow phone, and appears among the orders as delivered', async () => {
  const { page, complaints } = await openPage('/?product=skin-aurora&redirectPage=new', {
    viewport: { width: 320, height: 640 },
  })
  const expectNothingMoved = await watchPlaces(page)
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expectOwnDialog(page)
  await pay(page)
  await expectNothingMoved()
  const story = page.getByRole('region', { name: 'What happens' })
  for (const step of [
    'Click on Buy',
    'Says that an order has changed',
    'Delivers',
    'result: success, verified',
  ])
    await story.getByText(step).first().waitFor()
  expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])

  await page.getByRole('link', { name: 'Orders' }).click()
  const order = page.getByRole('article').filter({ hasText: 'Aurora cloak' })
  await order.getByText('order complete').waitFor()
  await order.getByText('Delivered').waitFor()
  expect(complaints).toEqual([])
})

/** Expects it to show the shop, the product and the price. */
async function expectOwnDialog(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Aurora cloak, 6.50 USD' }).waitFor()
  const logo = await page
    .locator('dialog header')
    .evaluate((header) => /url\("(.*)"\)/.exec(getComputedStyle(header, '::before').backgroundImage)?.[1])
  const answer = await fetch(`${logo}`)
  expect(answer.headers.get('content-type')).toContain('image/svg+xml')
}

test('the token page masks the token in the address, and a price changed there is paid, detected and not delivered', async () => {
  const { page, complaints } = await openPage('/token')
  const granted = page.waitForResponse('**/api/purchase-widget/token')
  await page.getByRole('button', { name: /^Buy/ }).click()
  await pay(page)
  const { accessToken, widgetUrl } = await (await granted).json()
  const shown = (await page.locator('.address pre').textContent()) ?? ''
  expect(shown).toContain(`${widgetUrl}/widget/\n  ?accessToken=••••••\n`)
  expect(shown).toContain('&quote_amount=0.99')
  expect(await page.content()).not.toContain(accessToken)
  await page.getByTestId('purchase-result').getByText('It’s yours').waitFor()

  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Buy/ }).click()
  await pay(page)
  await page.getByTestId('purchase-result').getByText('Paid, but not as sold').waitFor()
  const story = page.getByRole('region', { name: 'What happens' })
  await story.getByText('The order is not what was sold: quote_amount is 0.01, not 0.99').waitFor()
  await story.getByText('Does not deliver').waitFor()
  expect(complaints).toEqual([])
})

test('a reloaded page says that the payment is being processed, and then how it ended', async () => {
  const { switches } = createControl(demo.sandbox.urls.controlUrl)
  await switches.set({ paymentMs: 10_000 })
  onTestFinished(() => switches.set({ paymentMs: 0 }))
  const page = await (await newProfile()).newPage()
  await openWithScripts(page, demo.url)
  await page.getByRole('button', { name: /^Buy/ }).click()
  const paying = page.waitForRequest((request) => request.url().endsWith('/pay'))
  await page.frameLocator('iframe').getByRole('button', { name: 'Fill in a test card and pay' }).click()
  await paying
  await page.reload({ waitUntil: 'domcontentloaded' })
  const sentence = page.getByText('Your payment is being processed. Do not pay again.')
  await sentence.waitFor()
  await page.locator('.checkout .button[aria-busy=true]').waitFor()

  const result = page.getByTestId('purchase-result')
  await result.waitFor()
  expect(await result.getAttribute('data-status')).toBe('success')
  expect(await result.getAttribute('data-verified')).toBe('true')
  expect(await sentence.count()).toBe(0)
  await page.locator('.checkout .button:not([aria-busy=true])').waitFor()
})
