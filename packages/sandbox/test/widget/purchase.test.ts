// Promise: widget/purchase
// Promise: widget/identity
/** A purchase on the widget page, from the form to the return to the shop. */
import { expect, test } from 'vitest'
import { aboveLowLimit, fillPayment, pay, shopForTests } from './shop.ts'

const shop = await shopForTests()

const gold = { product_id: 'gold-100', redirect_url: `${shop.url}/thanks` }
const complete = { name: 'Payment complete' }
const isFocused = (label: string) =>
  shop.page.getByLabel(label).evaluate((field) => field === document.activeElement)

test('four fields and one click are a whole purchase, and the shopper is back in the shop', async () => {
  await shop.open(gold)
  expect(await shop.page.getByRole('radio').count()).toBe(0)
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(await shop.sandbox.orders()).toMatchObject([
    { type: 'order_complete', product_id: 'gold-100', email: 'ada@example.com' },
  ])
})

test('the form fits a phone without scrolling, and works with the keyboard alone', async () => {
  await shop.page.setViewportSize({ width: 360, height: 640 })
  await shop.open(gold)
  for (const part of [
    shop.page.getByRole('region', { name: 'Order' }),
    shop.page.getByLabel('Email'),
    shop.page.getByLabel('Card number'),
    shop.page.getByLabel('Expiry date'),
    shop.page.getByLabel('Security code'),
    shop.page.getByRole('button', { name: 'Pay 0.99 USD' }),
  ]) {
    const box = await part.boundingBox()
    expect(box && box.y >= 0 && box.y + box.height <= 640, String(part)).toBe(true)
  }
  const { keyboard } = shop.page
  for (const text of ['ada@example.com', '4242424242424242', '1249', '123']) {
    await keyboard.press('Tab')
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await shop.page.getByRole('heading', complete).waitFor()
})

test('each field reports what is missing or wrong, by the sandbox’s clock too, and the first takes the focus', async () => {
  await shop.open(gold)
  const button = shop.page.getByRole('button', { name: /^Pay/ })
  await button.click()
  for (const label of ['Email', 'Card number', 'Expiry date', 'Security code']) {
    const field = shop.page.getByLabel(label)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const error = shop.page.locator(`#${await field.getAttribute('aria-describedby')}`)
    expect(await error.textContent()).toMatch(/^Enter /)
  }
  expect(await isFocused('Email')).toBe(true)
  expect(await shop.sandbox.orders()).toEqual([])
  await pay(shop.page, { expiry: '01/20' })
  await shop.page.getByText(/^Enter a month and year in the future/).waitFor()
  expect(await isFocused('Expiry date')).toBe(true)
  await shop.page.getByLabel('Expiry date').fill('12/49')
  await button.click()
  await shop.page.getByRole('heading', complete).waitFor()
})

test('typed digits are grouped as on the card, and correcting one leaves the caret in place', async () => {
  await shop.open(gold)
  const number = shop.page.getByLabel('Card number')
  await number.pressSequentially('4242424242424242')
  expect(await number.inputValue()).toBe('4242 4242 4242 4242')
  await number.press('Home')
  for (let step = 0; step < 7; step++) await number.press('ArrowRight')
  await number.press('Backspace')
  await number.press('9')
  expect(await number.inputValue()).toBe('4242 4942 4242 4242')
  await shop.page.getByLabel('Expiry date').pressSequentially('849')
  expect(await shop.page.getByLabel('Expiry date').inputValue()).toBe('08/49')
})

test('without a product_id the shopper chooses, and the first offer is preselected', async () => {
  await shop.open()
  const [first, second] = await shop.page.getByRole('radio').all()
  expect(await first?.isChecked()).toBe(true)
  const chosen = await second?.getAttribute('value')
  for (const club of [
    'Lantern Club 4.99 USD monthly',
    'Lantern Club, day by day 0.29 USD daily',
    'Lantern Club, a year 49.00 USD yearly',
  ])
    expect(await shop.page.getByRole('radio', { name: club }).count(), club).toBe(1)
  await second?.check()
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toMatchObject([{ product_id: chosen }])
})

test('a product that only the merchant knows is sold under its id, however long', async () => {
  await shop.page.setViewportSize({ width: 320, height: 640 })
  await shop.open({ product_id: 'x'.repeat(100), quote: 'EUR', quote_amount: '123456789.99' })
  await shop.page.getByRole('button', { name: 'Pay 123456789.99 EUR' }).waitFor()
  expect(await shop.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test.for(['Pay 0.99 USD', 'Fill in a test card and pay'])(
  'a double click on “%s” makes one order',
  async (name) => {
    await shop.sandbox.switches.set({ paymentMs: 500 })
    await shop.open(gold)
    if (name.startsWith('Pay')) await fillPayment(shop.page)
    else await shop.page.getByLabel('Email').fill('ada@example.com')
    await shop.page.getByRole('button', { name }).dblclick()
    await shop.page.getByRole('heading', complete).waitFor()
    expect(await shop.sandbox.orders()).toMatchObject([{ type: 'order_complete', email: 'ada@example.com' }])
  },
)

test('the receipt stays for someone who presses Stay here, or comes back with the Back button', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open(gold)
  // Until the countdown is stopped only the test advances the time, so a busy machine cannot end it before the click.
  await shop.page.clock.pauseAt(Date.now() + 60_000)
  await pay(shop.page)
  await shop.page.getByRole('timer').waitFor()
  await shop.page.getByRole('button', { name: 'Stay here' }).click()
  await shop.page.getByRole('timer').waitFor({ state: 'detached' })
  await shop.page.clock.runFor(20_000)
  await shop.page.clock.resume()
  for (let leaving = 0; leaving < 2; leaving++) {
    await shop.page.getByRole('heading', complete).waitFor()
    expect(await shop.page.getByRole('timer').count()).toBe(0)
    await shop.page.getByRole('link', { name: 'Continue' }).click()
    await shop.page.waitForURL(`${shop.url}/thanks`)
    await shop.page.goBack()
  }
})

test('redirect_page new opens the return page in a tab that has no opener', async () => {
  await shop.open({ ...gold, redirect_page: 'new' })
  const [tab] = await Promise.all([shop.context.waitForEvent('page'), pay(shop.page)])
  await tab.waitForURL(`${shop.url}/thanks`)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await shop.page.getByText('The shop is open in another tab.').waitFor()
})

test('where the browser blocks the new tab, a link opens it', async () => {
  await shop.useProfile()
  await shop.page.addInitScript(() => {
    window.open = () => null
  })
  await shop.open({ ...gold, redirect_page: 'new' })
  await pay(shop.page)
  const link = shop.page.getByRole('link', { name: 'Continue' })
  const [tab] = await Promise.all([shop.context.waitForEvent('page'), link.click()])
  await tab.waitForURL(`${shop.url}/thanks`)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
})

test('a subscription shows its renewal date and can be cancelled immediately, without a redirect to the shop', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open({ product_id: 'club-monthly', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.getByText(/^Renews on /).waitFor()
  for (const name of ['Cancel subscription', 'Keep it', 'Cancel subscription'])
    await shop.page.getByRole('button', { name }).click()
  await shop.page.clock.runFor(5_000)
  await shop.page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await shop.page.getByText(/^Subscription cancelled/).waitFor()
  const state = await (await fetch(`${shop.sandbox.urls.controlUrl}/state`)).json()
  expect(state.subscriptions).toMatchObject([{ status: 'canceled' }])
  await shop.page.getByRole('link', { name: 'Continue' }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
})

test('a purchase above the low limit asks for a document, continues automatically, and never asks again', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Confirm who you are' }).waitFor()
  expect(await shop.sandbox.orders()).toEqual([])
  await shop.page.getByRole('radio', { name: 'Driving licence' }).check()
  const confirm = shop.page.getByRole('button', { name: 'Confirm and pay 900.00 USD' })
  await confirm.click()
  expect(await shop.page.getByRole('alert').textContent()).toContain('Allow the camera')
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await confirm.click()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toMatchObject([{ type: 'order_complete', product_id: 'btc' }])
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
})

test('a reload at the identity step stays there, and the payment continues by keyboard alone', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Confirm who you are' }).waitFor()
  await shop.page.reload()
  // The heading takes the focus a moment after it appears.
  await shop.page.locator('h2:focus', { hasText: 'Confirm who you are' }).waitFor()
  const { keyboard } = shop.page
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  expect(await shop.page.getByRole('radio', { name: 'ID card' }).isChecked()).toBe(true)
  for (const key of ['Tab', 'Space', 'Tab', 'Enter']) await keyboard.press(key)
  await shop.page.getByRole('heading', complete).waitFor()
})
