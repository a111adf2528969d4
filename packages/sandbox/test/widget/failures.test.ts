// Promise: widget/declines
// Promise: widget/failures
/** The messages and recovery actions for a shopper whose card is declined or whose payment fails. */
import { expect, test } from 'vitest'
import { fillPayment, pay, shopForTests } from './shop.ts'

const shop = await shopForTests()

const complete = { name: 'Payment complete' }
const product_id = 'gold-100'
const gold = { product_id, fail_redirect_url: `${shop.url}/sorry`, redirect_url: `${shop.url}/thanks` }
const alert = (): Promise<string | null> => shop.page.getByRole('alert').textContent()
const ended = async (): Promise<void> => {
  await shop.page.getByRole('heading', { name: 'This checkout is not open' }).waitFor()
  expect(await alert()).toContain('has ended')
}
const decline = async (code: string): Promise<void> => {
  await pay(shop.page, { card: `4000 0000 0000 ${code}` })
  await shop.page.getByText(`Code ${code}`).waitFor()
}

test('a decline says why and what to do, keeps the form, and has no button but the one that pays', async () => {
  await shop.open({ product_id })
  await decline('4004')
  expect(await alert()).toBe(
    'Payment declinedInsufficient balance on the card. Please add funds to the card and try again.Code 4004',
  )
  expect(await shop.page.getByLabel('Email').inputValue()).toBe('ada@example.com')
  const buttons = shop.page.getByRole('button').filter({ visible: true })
  expect(await buttons.allTextContents()).toEqual(['Pay 0.99\u00a0USD'])
  expect(await shop.page.getByRole('link').count()).toBe(0)
  expect(await shop.page.getByRole('timer').count()).toBe(0)
})

test.for([
  ['newOrder', ['order_complete', 'order_failed', 'order_failed']],
  ['sameOrder', ['order_complete']],
] as const)('after two declines the next try completes the purchase, as %s', async ([switched, types]) => {
  await shop.sandbox.switches.set({ retryAfterDecline: switched })
  await shop.open(gold)
  await decline('4004')
  await decline('4005')
  expect(await shop.page.getByRole('alert').count()).toBe(1)
  await shop.page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('heading', complete).waitFor()
  expect((await shop.sandbox.orders()).map(({ type }) => type)).toEqual(types)
})

test('a shopper who does nothing is redirected to the shop after ten seconds', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open(gold)
  await fillPayment(shop.page, { card: '4000 0000 0000 4004' })
  // From here on only the test advances the time, so delays of a busy machine do not count.
  await shop.page.clock.pauseAt(Date.now() + 60_000)
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('timer').waitFor()
  await shop.page.clock.runFor(9_000)
  expect(shop.page.url()).toContain('/widget/')
  await Promise.all([shop.page.waitForURL(`${shop.url}/sorry`), shop.page.clock.runFor(3_000)])
})

test('a shopper who comes back after a decline and pays is redirected to the shop', async () => {
  await shop.open(gold)
  await decline('4004')
  await shop.page.getByRole('link', { name: 'Return to shop' }).click()
  await shop.page.waitForURL(`${shop.url}/sorry`)
  await shop.page.goBack()
  await pay(shop.page)
  await shop.page.waitForURL(`${shop.url}/thanks`)
})

const interactions: Record<string, () => Promise<void>> = {
  'presses Stay here': () => shop.page.getByRole('button', { name: 'Stay here' }).click(),
  'goes into a field': () => shop.page.getByLabel('Card number').focus(),
  'presses a key': () => shop.page.keyboard.press('ArrowDown'),
  'touches the page': () => shop.page.mouse.click(1, 1),
}

test('a shopper who interacts is not redirected, and nothing moves, so that a click never misses', async () => {
  await shop.useProfile()
  await shop.page.clock.install()
  await shop.open(gold)
  // From here on only the test advances the time, so a busy machine cannot end the countdown before the interaction.
  await shop.page.clock.pauseAt(Date.now() + 60_000)
  const link = shop.page.getByRole('link', { name: 'Return to shop' })
  const places = async () => [
    await link.boundingBox(),
    await shop.page.getByLabel('Email').boundingBox(),
    await shop.page.getByRole('button', { name: /^Pay/ }).boundingBox(),
  ]
  for (const [name, interact] of Object.entries(interactions)) {
    await pay(shop.page, { card: '4000 0000 0000 4004' })
    await shop.page.getByRole('timer').waitFor()
    const before = await places()
    await interact()
    await shop.page.getByRole('timer').waitFor({ state: 'detached' })
    expect(await places(), name).toEqual(before)
    await shop.page.clock.runFor(20_000)
    expect(shop.page.url(), name).toContain('/widget/')
  }
  await link.click()
  await shop.page.waitForURL(`${shop.url}/sorry`)
})

test('a payment whose response is truncated is found complete, and charged once', async () => {
  await shop.open({ product_id })
  await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'malformed', count: 1 })
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toHaveLength(1)
})

test('a payment that never arrived shows an error and can be retried; one whose response is lost is found complete', async () => {
  await shop.open({ product_id })
  const fault = await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'reset' })
  await pay(shop.page)
  expect(await alert()).toContain('did not answer')
  expect(await shop.sandbox.orders()).toEqual([])
  await shop.sandbox.faults.remove(fault.id)
  await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'reset', takesEffect: true, count: 1 })
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toHaveLength(1)
})

test('a payment that was interrupted is shown as not charged, also after a reload', async () => {
  await shop.sandbox.switches.set({ paymentMs: 2_000 })
  await shop.open({ product_id })
  await pay(shop.page)
  await expect.poll(() => shop.sandbox.orders()).toHaveLength(1)
  await shop.sandbox.restore(await shop.sandbox.snapshot())
  await expect.poll(alert).toContain('could not be charged')
  await shop.page.reload()
  await expect.poll(alert).toContain('could not be charged')
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
})

test('a shopper whose choice was not stored pays for what the page shows', async () => {
  await shop.open()
  await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'status', status: 503, count: 1 })
  await shop.page.getByRole('radio', { name: '550 gold' }).check()
  await shop.page.getByRole('alert').waitFor()
  await fillPayment(shop.page)
  await shop.page.getByRole('button', { name: 'Pay 4.99\u00a0USD' }).click()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toMatchObject([{ product_id: 'gold-550', quote_amount: '4.99' }])
})

test('a shopper is not charged while a choice cannot be stored', async () => {
  await shop.open()
  await fillPayment(shop.page)
  const fault = await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'status', status: 503 })
  await shop.page.getByRole('radio', { name: '550 gold' }).check()
  await shop.page.getByRole('button', { name: 'Pay 4.99\u00a0USD' }).click()
  await expect.poll(alert).toContain('did not answer')
  await shop.sandbox.faults.remove(fault.id)
  expect(await shop.sandbox.orders()).toEqual([])
})

test('a checkout that cannot start can be retried, and reports that it has ended once the server forgets it', async () => {
  await shop.sandbox.faults.set({ operation: 'widgetApi', kind: 'status', status: 503, count: 1 })
  await shop.page.goto(await shop.widgetAddress({ product_id }))
  await shop.page.getByRole('button', { name: 'Try again' }).click()
  await shop.page.getByRole('button', { name: /^Pay/ }).waitFor()
  shop.sandbox.reset()
  await pay(shop.page)
  await ended()
})

test('a token that expires while the form is open ends the visit without a charge', async () => {
  await shop.page.goto(await shop.widgetAddress({ product_id }, await shop.createToken('7')))
  await fillPayment(shop.page)
  await shop.sandbox.clock.advance('8 days')
  await shop.page.getByRole('button', { name: /^Pay/ }).click()
  await ended()
  expect(await shop.sandbox.orders()).toEqual([])
})

test.for([
  ['absent', ''],
  ['unknown', '?accessToken=nobody-made-this'],
])('an %s token gets a friendly page', async ([, query]) => {
  await shop.page.goto(`${shop.sandbox.urls.widgetUrl}/widget/${query}`)
  expect(await alert()).toMatch(/has ended, or its link is not valid\. Go back to the shop/)
})

test('an invalid parameter is named to the developer, not to the shopper', async () => {
  await shop.page.goto(await shop.widgetAddress({ product_id, quote_amount: 'much' }))
  expect(await alert()).toContain('Nothing was charged')
  expect(await alert()).not.toContain('quote_amount')
  await shop.page.getByText('For the shop’s developer: quote_amount: must be').waitFor()
})
