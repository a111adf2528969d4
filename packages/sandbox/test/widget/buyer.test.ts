// Promise: kit/buyer
/** The buyer finds the widget page in every place that a merchant opens it in. */
import { expect, onTestFinished, test } from 'vitest'
import { createBuyer } from '../../src/testing/playwright.ts'
import { aboveLowLimit, shopForTests } from './shop.ts'

const shop = await shopForTests()

const gold = { product_id: 'gold-100' }
const buyer = () => createBuyer(shop.page, shop.sandbox.urls.widgetUrl)

test.for(['frame', 'popup'] as const)('pays in a %s, after a decline', async (place) => {
  await shop.openFromShop(place, gold)
  await buyer().decline('4005')
  await buyer().pay()
  expect(await shop.sandbox.orders()).toMatchObject([{ type: 'order_complete' }, { type: 'order_failed' }])
})

test('with two widgets open, the buyer pays in the newest', async () => {
  await shop.open({ product_id: 'castle' })
  const newest = await shop.context.newPage()
  onTestFinished(() => newest.close())
  await newest.goto(await shop.widgetAddress(gold))
  await newest.getByRole('button', { name: /^Pay/ }).waitFor()
  await buyer().pay()
  expect(await shop.sandbox.orders()).toMatchObject([{ product_id: 'gold-100' }])
})

test('the buyer pays on the page itself, as the user who signed up', async () => {
  await shop.open(gold)
  await buyer().signUp('grace@example.com')
  await buyer().pay()
  expect(await shop.sandbox.orders()).toMatchObject([{ email: 'grace@example.com' }])
})

test('the buyer shows a document where a limit requires it', async () => {
  await shop.openFromShop('frame', aboveLowLimit)
  await buyer().confirmIdentity()
  expect(await shop.sandbox.orders()).toMatchObject([{ type: 'order_complete' }])
})

test('the buyer subscribes after choosing a subscription', async () => {
  await shop.openFromShop('frame', {})
  await buyer().subscribe()
  expect(await shop.sandbox.orders()).toMatchObject([{ product_id: 'club-monthly' }])
})

test('an error reports the actual result instead of the expected one', async () => {
  await shop.open(gold)
  await expect(buyer().pay('4000 0000 0000 4004')).rejects.toThrow(
    'The buyer expected "complete". The card was declined with 4004: Insufficient balance',
  )
  await shop.page.goto(shop.url)
  const withTimeout = createBuyer(shop.page, shop.sandbox.urls.widgetUrl, { timeout: 200 })
  await expect(withTimeout.pay()).rejects.toThrow(`/widget/ is not open. Open are: ${shop.url}/.`)
})

test('the buyer leaves a popup by closing it, and a frame by the link that the widget shows', async () => {
  await shop.openFromShop('popup', gold)
  await buyer().decline()
  await buyer().leave()
  expect(shop.context.pages()).toHaveLength(1)
  await shop.openFromShop('frame', { ...gold, fail_redirect_url: `${shop.url}/sorry` })
  await buyer().decline()
  await buyer().leave()
  await expect.poll(() => shop.page.frames().map((frame) => frame.url())).toContain(`${shop.url}/sorry`)
})

test('the buyer leaves the loader’s dialog in any language', async () => {
  await shop.openFromShop('frame', gold)
  await shop.page.evaluate(() => {
    const button = Object.assign(document.createElement('button'), { textContent: 'Schließen' })
    button.part.add('close')
    button.addEventListener('click', () => document.querySelector('iframe')?.remove())
    document.body.prepend(button)
  })
  await buyer().leave()
  await expect.poll(() => shop.page.frames()).toHaveLength(1)
})
