// Promise: kit/recipes
/** One shopper whose cards are declined again and again, as a test of what the shop does then has it. */
import { expect } from '@playwright/test'
import { test } from '@purchase-widget/sandbox/playwright'

test.use({ shop: { command: 'node shop.ts', cwd: import.meta.dirname } })

test('a shopper who is declined three times leaves, and nothing was bought', async ({
  page,
  sandbox,
  buyer,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Buy gold' }).click()
  for (let declined = 0; declined < 3; declined++) await buyer.decline()
  const orders = await sandbox.orders()
  expect(orders.map(({ fail_reason }) => fail_reason)).toEqual(['4004', '4004', '4004'])
  await buyer.leave()
  await expect(page.getByText('Nothing was bought')).toBeVisible()
})
