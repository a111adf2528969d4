// Promise: demo/reload
/** A payment of ten seconds, and a page that is reloaded meanwhile: it says so, offers no plain Buy, and gives the result at the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createControl } from '@purchase-widget/sandbox/testing'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { full, recordFigure } from '../../../scripts/proof.ts'
import { openDemo, openWithScripts } from './browser.ts'

const { demo, newProfile } = await openDemo()
await createControl(demo.sandbox.urls.controlUrl).switches.set({ paymentMs: 10_000 })

const seconds = full ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [4]
const sentence = 'Your payment is being processed. Do not pay again.'

test('whenever the page is reloaded, it says that the payment is being processed', async () => {
  const waits: (number | null)[] = []
  // Three browsers side by side are enough for a small machine.
  for (let first = 0; first < seconds.length; first += 3)
    waits.push(...(await Promise.all(seconds.slice(first, first + 3).map((second) => reloadAfter(second)))))
  const said = waits.filter((wait) => wait !== null)
  expect(said.length).toBeGreaterThan(0)
  recordFigure(
    `the demo reloaded at ${seconds.length} seconds of a payment of ten, ${said.length} times before its end`,
    `said ${said.length} times, after at most ${Math.max(...said)} ms; the result each time`,
  )
})

/** Resolves to the milliseconds from the reloaded page's arrival to the sentence; null where the result was known by then. */
async function reloadAfter(second: number): Promise<number | null> {
  const page = await (await newProfile()).newPage()
  await openWithScripts(page, `${demo.url}/?product=gold-100&mode=modal`)
  const buy = page.locator('.checkout .button').first()
  const result = page.getByTestId('purchase-result')
  await buy.click()
  await pay(page)
  // The moment of the reload is what is tried.
  await sleep(second * 1_000)
  await page.reload({ waitUntil: 'domcontentloaded' })
  const arrived = Date.now()
  await page.getByText(sentence).or(result).first().waitFor()
  const waited = Date.now() - arrived
  const isSaid = await page.getByText(sentence).isVisible()
  if (isSaid) await page.locator('.checkout .button[aria-busy=true]').waitFor()

  await result.waitFor()
  expect(await result.getAttribute('data-status')).toBe('success')
  expect(await result.getAttribute('data-verified')).toBe('true')
  expect(await page.getByText(sentence).count()).toBe(0)
  expect(await buy.getAttribute('aria-busy')).not.toBe('true')
  return isSaid ? waited : null
}

async function pay(page: Page): Promise<void> {
  const widget = page.frameLocator('iframe')
  await widget.getByLabel('Email').fill('ada@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  const paying = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/pay'),
  )
  await widget.getByRole('button', { name: /^Pay/ }).click()
  await paying
}
