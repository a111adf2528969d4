/** Two visitors at the same time, on their own devices: each sees their own story, and both can use what the forms suggest. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { launchChromium, newProfile } from './browser.ts'

let demo: Demo
let browser: Browser
beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
})
afterAll(async () => {
  await browser.close()
  await demo.close()
})

async function visit(path: string): Promise<Page> {
  const page = await (await newProfile(browser, { viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(demo.url + path)
  return page
}

async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Buy/ }).click()
  const widget = page.frameLocator('iframe')
  await widget.getByLabel('Email').fill('shopper@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await widget.getByRole('button', { name: /^Pay/ }).click()
  await page.getByTestId('purchase-result').waitFor()
}

test('neither sees a step of the other’s story', async () => {
  const [cheat, honest] = await Promise.all([
    visit('/?product=gold-1200&cheat=price&redirectPage=new'),
    visit('/?product=gold-550&redirectPage=new'),
  ])
  await Promise.all([buy(cheat), buy(honest)])
  const stepsOf = (page: Page) => page.getByRole('region', { name: 'What happens' }).getByRole('listitem')
  await stepsOf(cheat).getByText('Does not deliver').waitFor()
  await stepsOf(honest).getByText('Delivers', { exact: true }).waitFor()

  const others =
    (await stepsOf(cheat).getByText('Delivers', { exact: true }).count()) +
    (await stepsOf(cheat).getByText('The order is what was sold', { exact: true }).count()) +
    (await stepsOf(honest).getByText('Does not deliver').count()) +
    (await stepsOf(honest)
      .getByText(/not what was sold|shopper changes/)
      .count())
  expect(others).toBe(0)
  for (const page of [cheat, honest]) expect(await stepsOf(page).getByText('Click on Buy').count()).toBe(1)
  recordFigure('Steps of another visitor’s story, two visitors at once', others)
})

test('the second visitor, too, can sign up with what the form suggests', async () => {
  for (const page of [await visit('/account'), await visit('/account')]) {
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Light identity check').waitFor()
  }
})
