// Promise: widget/declines
// Promise: widget/failures
/** What a shopper reads whose card is declined or whose payment fails, and where they can go from there. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { fillPayment, pay } from './shopper.ts'

const shop = await shopForTests()

const complete = { name: 'Payment complete' }
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
  await shop.page.getByRole('heading', complete).waitFor()
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
  await shop.page.getByRole('heading', complete).waitFor()
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
  await shop.useProfile()
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

const interactions: Record<string, () => Promise<void>> = {
  'presses Stay here': () => shop.page.getByRole('button', { name: 'Stay here' }).click(),
  'goes into a field': () => shop.page.getByLabel('Card number').focus(),
  'presses a key': () => shop.page.keyboard.press('ArrowDown'),
}

test('someone who does anything is not taken back', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  for (const [name, interact] of Object.entries(interactions)) {
    await shop.open(gold)
    await pay(shop.page, { card: '4000 0000 0000 4004' })
    await shop.page.getByRole('timer').waitFor()
    await interact()
    await shop.page.getByRole('timer').waitFor({ state: 'detached' })
    await shop.page.clock.runFor(20_000)
    expect(shop.page.url(), name).toContain('/widget/')
    await shop.page.getByRole('link', { name: 'Return to shop' }).click()
    await shop.page.waitForURL(`${shop.url}/sorry`)
  }
})

test.for([
  ['is cut', { kind: 'reset', takesEffect: true }],
  ['is half a body', { kind: 'malformed' }],
] as const)('a payment whose answer %s is found complete, and charged once', async ([, fault]) => {
  await shop.open({ product_id: 'gold-100' })
  await shop.control('POST', 'faults', { operation: 'widgetApi', count: 1, ...fault })
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.orders()).toHaveLength(1)
})

test('a payment that never arrived says so, and can be tried again', async () => {
  await shop.open({ product_id: 'gold-100' })
  await shop.control('POST', 'faults', { operation: 'widgetApi', kind: 'reset' })
  await pay(shop.page)
  expect(await shop.page.getByRole('alert').textContent()).toContain('did not answer')
  await shop.control('DELETE', 'faults')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('heading', complete).waitFor()
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
