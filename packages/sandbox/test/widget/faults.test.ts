/** The widget page while its server fails. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { pay } from './shopper.ts'

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
