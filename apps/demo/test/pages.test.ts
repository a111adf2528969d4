// Promise: demo/story
/** The shop's pages in a browser: accessible, steady, and under their own policy. */
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { full, recordFigure } from '../../../scripts/proof.ts'
import { openDemo } from './browser.ts'

const { demo, newProfile } = await openDemo()

const desktop = { width: 1280, height: 900 }

/** A visitor's page, and everything that the browser complained about. */
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

/** Buys with the card that the widget's form fills in itself. */
async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Buy/ }).click()
  await page.frameLocator('iframe').getByRole('button', { name: 'Fill in a test card and pay' }).click()
  await page.getByTestId('purchase-result').waitFor()
}

async function violationsOf(axe: AxeBuilder): Promise<string[][]> {
  // In legacy mode no page is opened beside it; a frame would not be looked at, and here is none of the shop's own.
  const { violations } = await axe
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

const schemes = ['light', 'dark'] as const

// Each scheme on two pages, and on all where everything is tried.
test.each([
  ['/', 'light'],
  ['/token', 'dark'],
  ['/orders', 'dark'],
  ['/return?purchase=AAAAAAAAAAAAAAAAAAAAAA', 'light'],
] as const)('the page %s has nothing for axe to find, and fits a phone of 320 px', async (path, scheme) => {
  // Without transitions, so that no colour is looked at half-way to another.
  const { page } = await openPage(path, { viewport: desktop, reducedMotion: 'reduce' })
  const turn = (direction: string) =>
    page.evaluate((direction) => {
      document.documentElement.dir = direction
    }, direction)
  await turn('rtl')
  for (const colorScheme of full ? schemes : [scheme]) {
    await page.emulateMedia({ colorScheme })
    expect(await violationsOf(new AxeBuilder({ page }))).toEqual([])
  }

  await page.setViewportSize({ width: 320, height: 640 })
  for (const direction of ['ltr', 'rtl']) {
    await turn(direction)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, direction).toBe(0)
  }
  expect(await tooSmallToPress(page)).toEqual([])
})

/** What is pressed with a finger has at least 24 px. */
const tooSmallToPress = (page: Page) =>
  page.locator('a, button, label, input').evaluateAll((all) =>
    all
      .filter((one) => !one.closest('label') || one.matches('label'))
      // In a sentence a link is as high as its line.
      .filter((one) => !(one.matches('p > a') && one.parentElement?.textContent !== one.textContent))
      .map((one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => width > 0 && Math.min(width, height) < 24),
  )

test.each([
  ['iframe', { width: 360, height: 740 }],
  ['modal', desktop],
] as const)('the widget moves nothing on the page when it opens: %s, %o', async (mode, viewport) => {
  const { page, complaints } = await openPage(`/?mode=${mode}`, { viewport })
  await page.evaluate(() => document.fonts.ready)
  const landmarks = page.locator('h1, h2, [role=radiogroup], .checkout, .story')
  const placesOf = () => landmarks.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
  const before = await placesOf()
  await page.getByRole('button', { name: /^Buy/ }).click()
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  expect(await placesOf()).toEqual(before)
  if (mode === 'modal') await expectOwnDialog(page)
  recordFigure(`Pixels moved when the widget opens (${mode}, ${viewport.width} px)`, 0)
  expect(complaints).toEqual([])
})

/** It says whose it is, what is sold and for how much. */
async function expectOwnDialog(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: '100 gold, 0.99 USD' }).waitFor()
  const logo = await page
    .locator('dialog header')
    .evaluate((header) => /url\("(.*)"\)/.exec(getComputedStyle(header, '::before').backgroundImage)?.[1])
  const answer = await fetch(`${logo}`)
  expect(answer.headers.get('content-type')).toContain('image/svg+xml')
}

test('a purchase tells its story, moves nothing on a narrow phone, and ends among the orders, delivered', async () => {
  const { page, complaints } = await openPage('/?product=skin-aurora&redirectPage=new', {
    viewport: { width: 320, height: 640 },
  })
  const below = page.locator('.witness, .choice-groups')
  const placesOf = () => below.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop))
  await page.evaluate(() => document.fonts.ready)
  const before = await placesOf()
  await buy(page)
  expect(await placesOf()).toEqual(before)
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

describe('the page with a token', () => {
  test('shows the address that the loader built from the companion’s token, and not the token', async () => {
    const { page, complaints } = await openPage('/token')
    const granted = page.waitForResponse('**/api/purchase-widget/token')
    await buy(page)
    const { accessToken, widgetUrl } = await (await granted).json()
    const shown = (await page.locator('.address pre').textContent()) ?? ''
    expect(shown).toContain(`${widgetUrl}/widget/\n  ?accessToken=••••••\n`)
    expect(shown).toContain('&quote_amount=0.99')
    expect(await page.content()).not.toContain(accessToken)
    const result = page.getByTestId('purchase-result')
    expect(await result.getAttribute('data-verified')).toBe('true')
    expect(complaints).toEqual([])
  })

  test('a price that is changed on the way is paid, seen by the server, and not delivered', async () => {
    const { page } = await openPage('/token')
    await page.getByRole('checkbox').check()
    await buy(page)
    await page.getByText('Paid, but not as sold').waitFor()
    const story = page.getByRole('region', { name: 'What happens' })
    await story.getByText('The order is not what was sold: quote_amount is 0.01, not 0.99').waitFor()
    await story.getByText('Does not deliver').waitFor()
  })
})

test('a return page that names no purchase says so, and asks nobody', async () => {
  const asked: string[] = []
  const context = await newProfile({ viewport: desktop })
  context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const page = await context.newPage()
  await page.goto(`${demo.url}/return`)
  await page.getByText('This address names no purchase').waitFor()
  expect(asked.filter((path) => path.startsWith('/api/purchase-widget'))).toEqual([])
})
