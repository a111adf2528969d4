/** The tour of the first screen: each of its six stops is taken as a visitor does, to its end. */
import type { Browser, FrameLocator, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { launchChromium, newProfile, openWithScripts } from './browser.ts'
import type { Fulfilled } from './visitor.ts'

let demo: Demo
let browser: Browser
let page: Page
/** What the page got from its server for each purchase; it may ask before the click. */
let grants: Promise<object>[]
beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
})
afterEach(() => page.context().close())
afterAll(async () => {
  await browser.close()
  await demo.close()
})

async function takeTheStop(label: string): Promise<void> {
  page = await (await newProfile(browser, { viewport: { width: 1280, height: 800 } })).newPage()
  grants = []
  page.on('response', (response) => {
    if (response.url().endsWith('/token')) grants.push(response.json())
  })
  await openWithScripts(page, demo.url)
  await page.getByRole('link', { name: label }).click()
}

const widget = (): FrameLocator => page.frameLocator('iframe')

async function buy(): Promise<void> {
  await page.getByRole('button', { name: /^Buy/ }).click()
  // In whatever language: the button that fills in a test card.
  await widget().locator('.pay .quiet').click()
}

const step = (text: string): Locator =>
  page.getByRole('region', { name: 'What happens' }).getByText(text, { exact: true }).first()

/** What the result says, once it is there. */
async function ended(): Promise<{ status: string | null; verified: string | null }> {
  const result = page.getByTestId('purchase-result')
  await result.waitFor()
  return {
    status: await result.getAttribute('data-status'),
    verified: await result.getAttribute('data-verified'),
  }
}

const fulfilled = async (): Promise<Fulfilled> =>
  (await (await page.request.get(`${demo.url}/api/shop/deliveries`)).json()) as Fulfilled

const delivered = async (): Promise<string[]> =>
  (await fulfilled()).delivered.map(({ productId }) => productId)

test.each([
  ['Pay one cent', 'quote_amount is 0.01, not 9.99'],
  ['Take the castle', 'product_id is north-keep, not skin-aurora'],
])(
  '“%s”: the money arrives, the server sees that %s, and nothing is delivered',
  async (label, difference) => {
    await takeTheStop(label)
    await buy()
    await step(`The order is not what was sold: ${difference}`).waitFor()
    await step('Does not deliver').waitFor()
    expect(await ended()).toEqual({ status: 'success', verified: 'false' })
    expect(await fulfilled()).toMatchObject({ delivered: [], held: [expect.any(String)] })
    recordFigure(`Stop of the tour: ${label}`, 'seen, and not delivered')
  },
)

test('“Make it go wrong”: with four troubles at once the goods are delivered, once', async () => {
  await takeTheStop('Make it go wrong')
  const panel = page.getByRole('region', { name: 'Make it go wrong' })
  const troubles = [
    'Two calls in a row fail',
    'Answers come in other shapes',
    'Each webhook comes twice',
    'The return address arrives broken',
  ]
  const switched = (): Promise<unknown> =>
    page.waitForResponse((response) => response.url().includes('/api/shop/troubles/') && response.ok())
  for (const name of troubles) await Promise.all([switched(), panel.getByLabel(name).check()])
  await expect
    .poll(async () => {
      const box = await panel.boundingBox()
      return box !== null && box.y >= 0 && box.y < 800
    })
    .toBe(true)
  await buy()
  expect(await ended()).toEqual({ status: 'success', verified: 'true' })
  await expect.poll(delivered).toEqual(['gold-100'])
  recordFigure('Stop of the tour: Make it go wrong', 'four troubles, delivered once')

  await page.goto(`${demo.url}/?product=gold-100#go-wrong`)
  for (const name of troubles) await Promise.all([switched(), panel.getByLabel(name).uncheck()])
})

test('“Buy a castle”: the widget asks who the shopper is, and the shop has nothing to do', async () => {
  await takeTheStop('Buy a castle')
  await buy()
  await widget().getByRole('button', { name: 'Allow camera' }).click()
  await widget()
    .getByRole('button', { name: /^Confirm and pay/ })
    .click()
  expect(await ended()).toEqual({ status: 'success', verified: 'true' })
  await expect.poll(delivered).toEqual(['north-keep'])
  recordFigure('Stop of the tour: Buy a castle', 'identity shown, delivered')
})

test('“Use a token”: the page builds the address from a token of its companion', async () => {
  await takeTheStop('Use a token')
  await buy()
  expect(await ended()).toEqual({ status: 'success', verified: 'true' })
  expect(Object.keys((await grants.at(-1)) ?? {}).sort()).toEqual([
    'accessToken',
    'expiresAt',
    'params',
    'purchaseId',
    'widgetUrl',
  ])
  await expect.poll(delivered).toEqual(['season-pass'])
  recordFigure('Stop of the tour: Use a token', 'address built in the page, delivered')
})

test('“Buy in Arabic”: the checkout is in Arabic, from right to left', async () => {
  await takeTheStop('Buy in Arabic')
  await buy()
  const close = page.getByRole('dialog').getByRole('button', { name: 'إغلاق' })
  expect(await close.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  expect(await ended()).toEqual({ status: 'success', verified: 'true' })
  await expect.poll(delivered).toEqual(['gold-550'])
  recordFigure('Stop of the tour: Buy in Arabic', 'from right to left, delivered')
})
