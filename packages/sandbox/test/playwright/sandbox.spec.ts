// Promise: kit/fixture
/** Run by ../kit.test.ts, with Playwright itself. */
import { expect } from '@playwright/test'
import { test } from '../../src/testing/playwright.ts'

let firstOrigin = ''

test.use({ sandboxOptions: { apiKey: 'from_options', secretKey: 'from_options_too' } })

test('a test gets a sandbox with the options of its file', async ({ sandbox, request }) => {
  firstOrigin = sandbox.urls.baseUrl
  expect(sandbox.credentials.apiKey).toBe('from_options')
  await request.post(`${sandbox.urls.controlUrl}/purchases`, { data: {} })
  expect(await (await request.get(`${sandbox.urls.controlUrl}/orders`)).json()).toHaveLength(1)
})

test('the next test of the worker gets the same sandbox, reset', async ({ sandbox, request }) => {
  expect(sandbox.urls.baseUrl).toBe(firstOrigin)
  expect(await (await request.get(`${sandbox.urls.controlUrl}/orders`)).json()).toEqual([])
})

test('a whole purchase in a few lines', async ({ page, sandbox, buyer }) => {
  const { accessToken } = await (
    await page.request.post(`${sandbox.urls.widgetApiUrl}/api/widget/refresh/access_token`, {
      headers: { 'api-key': sandbox.credentials.apiKey, 'secret-key': sandbox.credentials.secretKey },
      data: {},
    })
  ).json()
  await page.goto(`${sandbox.urls.widgetUrl}/widget/?accessToken=${accessToken}&custom_id=purchase-1`)
  await buyer.pay()
  expect(await sandbox.orderOf('purchase-1')).toMatchObject({ type: 'order_complete' })
})
