/** What a merchant writes to test a whole shop with the sandbox's kit. webkit.spec.ts has the same for WebKit. */
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

test('a card without balance buys nothing', async ({ page, sandbox, buyer }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Buy gold' }).click()
  await buyer.decline('4004')
  await buyer.leave()
  await expect(page.getByText('Nothing was bought')).toBeVisible()
  expect(await sandbox.orders()).toMatchObject([{ type: 'order_failed', fail_reason: '4004' }])
})

test('a membership renews after a month', async ({ page, sandbox, buyer, baseURL }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Join the club' }).click()
  await buyer.subscribe()
  await expect(page.getByText('Thank you')).toBeVisible()
  await sandbox.clock.advance('31 days')
  const [renewal] = await sandbox.orders()
  await expect
    .poll(async () => (await fetch(`${baseURL}/delivered`)).text())
    .toContain(`renewal ${renewal?.id}`)
})
