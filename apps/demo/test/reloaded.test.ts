// Promise: demo/reload
/** A page that is reloaded during a payment says so, offers no plain Buy, and gives the result at the end. */
import { createControl } from '@purchase-widget/sandbox/testing'
import { expect, test } from 'vitest'
import { openDemo, openWithScripts } from './browser.ts'

const { demo, newProfile } = await openDemo()
await createControl(demo.sandbox.urls.controlUrl).switches.set({ paymentMs: 10_000 })

test('a page that is reloaded says that the payment is being processed, and how it ended', async () => {
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
