// Promise: kit/buyer
/** The buyer finds the widget page in every place that a merchant opens it in. */
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createBuyer } from '../../src/testing/playwright.ts'
import { shopForTests } from './setup.ts'
import { aboveLowLimit } from './shopper.ts'

const shop = await shopForTests()

const gold = { product_id: 'gold-100' }
const buyer = () => createBuyer(shop.page, shop.sandbox.urls.widgetUrl)
const types = async () => (await shop.orders()).map(({ type }) => type)

/** Opens the widget from a page of the shop. */
async function openFromShop(
  page: Page,
  place: 'frame' | 'popup',
  params: Record<string, string>,
): Promise<void> {
  await page.goto(shop.url)
  await page.evaluate(
    ([address, how]) => {
      if (how === 'popup') window.open(address, 'widget', 'popup,width=420,height=700')
      else
        document.body.append(
          Object.assign(document.createElement('iframe'), { src: address, width: 400, height: 700 }),
        )
    },
    [await shop.widgetAddress(params), place] as const,
  )
}

test.for(['frame', 'popup'] as const)('pays in a %s, after a decline', async (place) => {
  await openFromShop(shop.page, place, gold)
  await buyer().decline('4005')
  await buyer().pay()
  expect(await types()).toEqual(['order_complete', 'order_failed'])
})

test('pays on the page itself, as who signed up', async () => {
  await shop.open(gold)
  await buyer().signUp('grace@example.com')
  await buyer().pay()
  expect(await shop.orders()).toMatchObject([{ email: 'grace@example.com' }])
})

test('shows a document where a limit asks for it', async () => {
  await openFromShop(shop.page, 'frame', aboveLowLimit)
  await buyer().confirmIdentity()
  expect(await types()).toEqual(['order_complete'])
})

test('subscribes, choosing a subscription first', async () => {
  await openFromShop(shop.page, 'frame', {})
  await buyer().subscribe()
  expect(await shop.orders()).toMatchObject([{ product_id: 'club-monthly' }])
})

test('says what came instead of what was wanted', async () => {
  await shop.open(gold)
  await expect(buyer().pay('4000 0000 0000 4004')).rejects.toThrow(
    'The buyer expected "complete". The card was declined with 4004: Insufficient balance',
  )
  await shop.page.goto(shop.url)
  const impatient = createBuyer(shop.page, shop.sandbox.urls.widgetUrl, { timeout: 200 })
  await expect(impatient.pay()).rejects.toThrow(`/widget/ is not open. Open are: ${shop.url}/.`)
})

test('leaves a popup by closing it, and a frame by the way that the widget shows', async () => {
  await openFromShop(shop.page, 'popup', gold)
  await buyer().decline()
  await buyer().leave()
  expect(shop.context.pages()).toHaveLength(1)
  await openFromShop(shop.page, 'frame', { ...gold, fail_redirect_url: `${shop.url}/sorry` })
  await buyer().decline()
  await buyer().leave()
  await expect.poll(() => shop.page.frames().map((frame) => frame.url())).toContain(`${shop.url}/sorry`)
})
