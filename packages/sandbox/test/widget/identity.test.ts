// Promise: widget/identity
/** Full KYC on the widget page. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { aboveLowLimit, pay } from './shopper.ts'

const shop = await shopForTests()

const heading = { name: 'Confirm who you are' }

test('a purchase above the low limit asks for a document, goes on by itself, and never asks again', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', heading).waitFor()
  expect(await shop.orders()).toEqual([])
  await shop.page.getByRole('radio', { name: 'Driving licence' }).check()
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await shop.page.getByRole('button', { name: 'Confirm and pay 900.00 USD' }).click()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toMatchObject([{ type: 'order_complete', product_id: 'btc' }])
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
})

test('without the camera the page says what is needed', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('button', { name: /^Confirm and pay/ }).click()
  expect(await shop.page.getByRole('alert').textContent()).toContain('Allow the camera')
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await shop.page.getByRole('button', { name: /^Confirm and pay/ }).click()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
})

test('the identity step needs nothing but a keyboard', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', heading).waitFor()
  const { keyboard } = shop.page
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  expect(await shop.page.getByRole('radio', { name: 'ID card' }).isChecked()).toBe(true)
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
})
