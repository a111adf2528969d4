// Promise: widget/declines
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

test('a decline says why and what to do, keeps the form, and has no button but the one that pays', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  const alert = shop.page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toBe(
    'Payment declinedInsufficient balance on the card. Please add funds to the card and try again.Code 4004',
  )
  expect(await shop.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  const buttons = shop.page.getByRole('button').filter({ visible: true })
  expect(await buttons.allTextContents()).toEqual(['Pay 0.99\u00a0USD'])
  expect(await shop.page.getByRole('link').count()).toBe(0)
  expect(await shop.page.getByRole('timer').count()).toBe(0)
})

test('after two declines another card completes the purchase, and each try is an order', async () => {
  await shop.open(gold)
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByText('Code 4004').waitFor()
  await pay(shop.page, { card: '4000 0000 0000 4005' })
  await shop.page.getByText('Code 4005').waitFor()
  expect(await shop.page.getByRole('alert').count()).toBe(1)
  await shop.page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect((await shop.orders()).map(({ type }) => type)).toEqual([
    'order_complete',
    'order_failed',
    'order_failed',
  ])
})

test('with the switch sameOrder, a second decline is shown and the third try completes the same order', async () => {
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
  await shop.page.getByRole('link', { name: 'Return to shop' }).click()
  await shop.page.waitForURL(`${shop.url}/sorry`)
})
