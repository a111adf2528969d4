// Promise: widget/failures
/** What the widget page says while its server fails, and at addresses that nothing can be bought at. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { fillPayment, pay } from './shopper.ts'

const shop = await shopForTests()

const heading = { name: 'Payment complete' }

test.for([
  ['is cut', { kind: 'reset', takesEffect: true }],
  ['is half a body', { kind: 'malformed' }],
] as const)('a payment whose answer %s is found complete, and charged once', async ([, fault]) => {
  await shop.open({ product_id: 'gold-100' })
  await shop.control('POST', 'faults', { operation: 'widgetApi', count: 1, ...fault })
  await pay(shop.page)
  await shop.page.getByRole('heading', heading).waitFor()
  expect(await shop.orders()).toHaveLength(1)
})

test('a payment that never arrived says so, and can be tried again', async () => {
  await shop.open({ product_id: 'gold-100' })
  await shop.control('POST', 'faults', { operation: 'widgetApi', kind: 'reset' })
  await pay(shop.page)
  expect(await shop.page.getByRole('alert').textContent()).toContain('did not answer')
  await shop.control('DELETE', 'faults')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('heading', heading).waitFor()
  expect(await shop.orders()).toHaveLength(1)
})

test('a checkout that does not begin can be begun again', async () => {
  await shop.control('POST', 'faults', { operation: 'widgetApi', kind: 'status', status: 503, count: 1 })
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }))
  await shop.page.getByRole('button', { name: 'Try again' }).click()
  await shop.page.getByRole('button', { name: /^Pay/ }).waitFor()
})

test('a checkout that the sandbox has forgotten says that it has ended', async () => {
  await shop.open({ product_id: 'gold-100' })
  await shop.sandbox.reset()
  await pay(shop.page)
  expect(await shop.page.getByRole('alert').textContent()).toContain('has ended')
})

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
