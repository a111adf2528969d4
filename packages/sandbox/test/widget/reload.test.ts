/** A reload in the middle of a visit. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { aboveLowLimit, pay } from './shopper.ts'

const shop = await shopForTests()

test('a reload keeps the choice and the e-mail, and never the card', async () => {
  await shop.open()
  await shop.page.getByRole('radio').nth(3).check()
  const chosen = await shop.page.getByRole('heading', { level: 1 }).textContent()
  await shop.page.getByLabel('Email').fill('ada@example.com')
  await shop.page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await shop.page.waitForFunction(() => history.state.email === 'ada@example.com')
  await shop.page.reload()
  expect(await shop.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  expect(await shop.page.getByLabel('Card number').inputValue()).toBe('')
  expect(await shop.page.getByRole('heading', { level: 1 }).textContent()).toBe(chosen)
})

test('a reload at the identity step stays there, and the payment goes on from it', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Confirm who you are' }).waitFor()
  await shop.page.reload()
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await shop.page.getByRole('button', { name: /^Confirm and pay/ }).click()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toMatchObject([{ type: 'order_complete' }])
})

test('a reload while the payment runs finds it complete, and charges once', async () => {
  await shop.control('PATCH', 'switches', { paymentMs: 10_000 })
  await shop.open({ product_id: 'gold-100', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.getByRole('button', { name: 'Please wait…' }).waitFor()
  await shop.page.reload()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(await shop.orders()).toHaveLength(1)
})

test('a new launch in the same tab is a new visit', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await shop.open({ product_id: 'gold-550' })
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toHaveLength(2)
})
