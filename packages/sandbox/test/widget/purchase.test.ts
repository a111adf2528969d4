// Promise: widget/purchase
// Promise: widget/identity
/** A purchase on the widget page, from the form to the way back. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { aboveLowLimit, fillPayment, pay } from './shopper.ts'

const shop = await shopForTests()

const gold = { product_id: 'gold-100', redirect_url: `${shop.url}/thanks` }
const complete = { name: 'Payment complete' }

test('four fields and one click are a whole purchase, and the shopper is back in the shop', async () => {
  await shop.open(gold)
  expect(await shop.page.getByRole('radio').count()).toBe(0)
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(await shop.orders()).toMatchObject([
    { type: 'order_complete', product_id: 'gold-100', email: 'ada@example.com' },
  ])
})

test('the order summary, the four fields and the button fit a phone without scrolling', async () => {
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
})

test('a purchase needs nothing but a keyboard', async () => {
  await shop.open(gold)
  const { keyboard } = shop.page
  for (const text of ['ada@example.com', '4242424242424242', '1249', '123']) {
    await keyboard.press('Tab')
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await shop.page.getByRole('heading', complete).waitFor()
})

test('what is typed is grouped as on the card, and correcting a digit leaves the caret there', async () => {
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

test('an empty form says at each field what is missing, and leads to the first', async () => {
  await shop.open(gold)
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  for (const label of ['Email', 'Card number', 'Expiry date', 'Security code']) {
    const field = shop.page.getByLabel(label)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const error = shop.page.locator(`#${await field.getAttribute('aria-describedby')}`)
    expect(await error.textContent()).toMatch(/^Enter /)
  }
  expect(await shop.page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await shop.orders()).toEqual([])
})

test('a card past its date is refused at its field, by the clock of the sandbox', async () => {
  await shop.open(gold)
  await pay(shop.page, { expiry: '01/20' })
  await shop.page.getByText(/^Enter a month and year in the future/).waitFor()
  expect(
    await shop.page.getByLabel('Expiry date').evaluate((field) => field === document.activeElement),
  ).toBe(true)
  await shop.page.getByLabel('Expiry date').fill('12/49')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('heading', complete).waitFor()
})

test('without a product_id the shopper chooses, and the first offer is chosen already', async () => {
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
  expect(await shop.orders()).toMatchObject([{ product_id: chosen }])
})

test('a product that only the merchant knows is sold under its id, however long', async () => {
  await shop.page.setViewportSize({ width: 320, height: 640 })
  await shop.open({ product_id: 'x'.repeat(100), quote: 'EUR', quote_amount: '123456789.99' })
  await shop.page.getByRole('button', { name: 'Pay 123456789.99 EUR' }).waitFor()
  expect(await shop.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a double click on Pay makes one order', async () => {
  await shop.control('PATCH', 'switches', { paymentMs: 500 })
  await shop.open(gold)
  await fillPayment(shop.page)
  await shop.page.getByRole('button', { name: /^Pay/ }).dblclick()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.orders()).toHaveLength(1)
})

test('one click fills in a test card and pays with it', async () => {
  await shop.open(gold)
  await shop.page.getByLabel('Email').fill('grace@example.com')
  await shop.page.getByRole('button', { name: 'Fill in a test card and pay' }).dblclick()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.orders()).toMatchObject([{ type: 'order_complete', email: 'grace@example.com' }])
})

test('the receipt stays for someone who presses Stay here', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open(gold)
  await pay(shop.page)
  await shop.page.getByRole('timer').waitFor()
  await shop.page.getByRole('button', { name: 'Stay here' }).click()
  await shop.page.getByRole('timer').waitFor({ state: 'detached' })
  await shop.page.clock.runFor(20_000)
  await shop.page.getByRole('heading', complete).waitFor()
  await shop.page.getByRole('link', { name: 'Continue' }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
})

test('redirect_page new opens the return page in a tab that has no hold on this one', async () => {
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
  await link.waitFor()
  const [tab] = await Promise.all([shop.context.waitForEvent('page'), link.click()])
  await tab.waitForURL(`${shop.url}/thanks`)
  expect(await tab.evaluate(() => window.opener)).toBeNull()
})

test('someone who comes back with the Back button sees the receipt and is not sent away again', async () => {
  await shop.open(gold)
  await pay(shop.page)
  await shop.page.getByRole('link', { name: 'Continue' }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  await shop.page.goBack()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.page.getByRole('timer').count()).toBe(0)
  expect(shop.page.url()).toContain('/widget/')
  expect(await shop.page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(
    `${shop.url}/thanks`,
  )
})

test('a subscription says when it renews, and can be cancelled on the spot', async () => {
  await shop.open({ product_id: 'club-monthly' })
  await pay(shop.page)
  await shop.page.getByText(/^Renews on /).waitFor()
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.getByRole('button', { name: 'Keep it' }).click()
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await shop.page.getByText(/^Subscription cancelled/).waitFor()
  const [order] = await shop.orders()
  const { urls, credentials } = shop.sandbox
  const response = await fetch(`${urls.baseUrl}/api/business/transactions/user_subscription`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': credentials.apiKey },
    body: JSON.stringify({ product_id: order?.product_id }),
  })
  expect(await response.json()).toMatchObject({ status: 2, next_paid: false })
})

test('a shopper who opens the subscription is not taken back to the shop meanwhile', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open({ product_id: 'club-monthly', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.clock.runFor(5_000)
  await shop.page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await shop.page.getByText(/^Subscription cancelled/).waitFor()
  await shop.page.getByRole('link', { name: 'Continue' }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
})

test('a purchase above the low limit asks for a document, goes on by itself, and never asks again', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Confirm who you are' }).waitFor()
  expect(await shop.orders()).toEqual([])
  await shop.page.getByRole('radio', { name: 'Driving licence' }).check()
  const confirm = shop.page.getByRole('button', { name: 'Confirm and pay 900.00 USD' })
  await confirm.click()
  expect(await shop.page.getByRole('alert').textContent()).toContain('Allow the camera')
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await confirm.click()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.orders()).toMatchObject([{ type: 'order_complete', product_id: 'btc' }])
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
})

test('the identity step needs nothing but a keyboard', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  // It takes the focus a moment after it appears.
  await shop.page.locator('h2:focus', { hasText: 'Confirm who you are' }).waitFor()
  const { keyboard } = shop.page
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  expect(await shop.page.getByRole('radio', { name: 'ID card' }).isChecked()).toBe(true)
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await shop.page.getByRole('heading', complete).waitFor()
})
