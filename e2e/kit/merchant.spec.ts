// Promise: kit/recipes
/** A merchant's test of a whole shop with the sandbox's kit, in Firefox; webkit.spec.ts covers WebKit, and the recipes cover Chromium. */
import { expect } from '@playwright/test'
import { test } from '@purchase-widget/sandbox/playwright'

test.use({
  shop: { command: 'node shop.ts', cwd: import.meta.dirname, webhook: '/api/purchase-widget/webhook' },
})

test('gold is delivered when it is paid', async ({ page, sandbox, buyer, baseURL }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Buy gold' }).click()
  await buyer.pay('4242 4242 4242 4242')
  await expect(page.getByText('Thank you')).toBeVisible()
  const [order] = await sandbox.orders()
  await expect
    .poll(async () => (await fetch(`${baseURL}/delivered`)).text())
    .toContain(`matched ${order?.id}`)
})
