/** Widget addresses that nothing can be bought at. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { fillPayment } from './shopper.ts'

const shop = await shopForTests()

const start = (): string => `${shop.sandbox.urls.widgetUrl}/widget/`
const alert = (): Promise<string | null> => shop.page.getByRole('alert').textContent()

test.for([
  ['absent', ''],
  ['unknown', '?accessToken=nobody-made-this'],
])('an %s token gets a friendly page', async ([, query]) => {
  await shop.page.goto(`${start()}${query}`)
  expect(await alert()).toMatch(/has ended, or its link is not valid\. Go back to the shop/)
})

test('a token that expires while the form is open ends the visit without a charge', async () => {
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }, await shop.createToken('7')))
  await fillPayment(shop.page)
  await shop.control('POST', 'clock', { advanceSeconds: 8 * 24 * 3600 })
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  expect(await alert()).toContain('has ended')
  expect(await shop.orders()).toEqual([])
})

test('a parameter that cannot be used is named to the developer, not to the shopper', async () => {
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100', quote_amount: 'much' }))
  expect(await alert()).toContain('Nothing was charged')
  expect(await alert()).not.toContain('quote_amount')
  await shop.page.getByText('For the shop’s developer: quote_amount: must be').waitFor()
})
