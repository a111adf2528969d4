/** What a declined shopper reads, and where they can go from there. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { fillPayment, pay } from './shopper.ts'

const shop = await shopForTests()

const gold = {
  product_id: 'gold-100',
  fail_redirect_url: `${shop.url}/sorry`,
  redirect_url: `${shop.url}/thanks`,
}

/** What section 7 of the interface tells the person to do. */
const actions = {
  4000: /try again/,
  4001: /security code again/,
  4002: /contact your card issuer/,
  4003: /enter valid card details/,
  4004: /add funds .* try again/,
  4005: /use a different card/,
  4010: /contact your card issuer/,
  4011: /provide a valid card/,
  4012: /contact your card issuer/,
  4013: /contact support/,
}

test.for(Object.entries(actions))('decline %s tells the person what to do', async ([code, action]) => {
  await shop.open(gold)
  await pay(shop.page, { card: `4000 0000 0000 ${code}` })
  const alert = shop.page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(action)
  expect(await alert.textContent()).toContain(code)
  expect(await shop.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  expect(await shop.orders()).toMatchObject([{ type: 'order_failed', fail_reason: code }])
})

test('after a decline another card makes a new order, and the purchase is complete', async () => {
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByText('Code 4004').waitFor()
  await shop.page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect((await shop.orders()).map(({ type }) => type)).toEqual(['order_complete', 'order_failed'])
})

test('after a decline the same order can go on, and is told again when it is declined again', async () => {
  await shop.control('PATCH', 'switches', { retryAfterDecline: 'sameOrder' })
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByText('Code 4004').waitFor()
  await pay(shop.page, { card: '4000 0000 0000 4005' })
  await shop.page.getByText('Code 4005').waitFor()
  await pay(shop.page)
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect((await shop.orders()).map(({ type }) => type)).toEqual(['order_complete'])
})

test('a decline has no button but the one that pays', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByText('Code 4004').waitFor()
  const buttons = shop.page.getByRole('button').filter({ visible: true })
  expect(await buttons.allTextContents()).toEqual(['Pay 0.99 USD'])
})

test('the second decline in a row is told again', async () => {
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByText('Code 4004').waitFor()
  await pay(shop.page, { card: '4000 0000 0000 4005' })
  await shop.page.getByText('Code 4005').waitFor()
  expect(await shop.page.getByRole('alert').count()).toBe(1)
})

test('nothing moves when the countdown stops, so that a click never misses', async () => {
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  const link = shop.page.getByRole('link', { name: 'Return to shop' })
  const places = async () => [
    await link.boundingBox(),
    await shop.page.getByLabel('Email').boundingBox(),
    await shop.page.getByRole('button', { name: /^Pay/ }).boundingBox(),
  ]
  await shop.page.getByRole('timer').waitFor()
  const before = await places()
  await shop.page.mouse.move(1, 1)
  await shop.page.mouse.down()
  await shop.page.getByRole('timer').waitFor({ state: 'detached' })
  expect(await places()).toEqual(before)
})

test('Return to shop goes to the address for failed orders', async () => {
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByRole('link', { name: 'Return to shop' }).click()
  await shop.page.waitForURL(`${shop.url}/sorry`)
})

test('someone who does nothing is taken back after ten seconds', async () => {
  await shop.page.clock.install()
  await shop.open(gold)
  await fillPayment(shop.page, { card: '4000 0000 0000 4004' })
  // From here on only the test moves the time: what a busy machine takes does not count.
  await shop.page.clock.pauseAt(Date.now() + 60_000)
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('timer').waitFor()
  await shop.page.clock.runFor(9_000)
  expect(shop.page.url()).toContain('/widget/')
  await Promise.all([shop.page.waitForURL(`${shop.url}/sorry`), shop.page.clock.runFor(3_000)])
})

test.for([
  ['presses Stay here', () => shop.page.getByRole('button', { name: 'Stay here' }).click()],
  ['goes into a field', () => shop.page.getByLabel('Card number').focus()],
  ['presses a key', () => shop.page.keyboard.press('ArrowDown')],
] as const)('someone who %s is not taken back', async ([, interact]) => {
  await shop.page.clock.install()
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByRole('timer').waitFor()
  await interact()
  await shop.page.getByRole('timer').waitFor({ state: 'detached' })
  await shop.page.clock.runFor(20_000)
  expect(shop.page.url()).toContain('/widget/')
})

test('without an address for failed orders the form just waits', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByRole('alert').waitFor()
  expect(await shop.page.getByRole('link', { name: 'Return to shop' }).count()).toBe(0)
  expect(await shop.page.getByRole('timer').count()).toBe(0)
})
