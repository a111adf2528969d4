// Promise: widget/messages
/** Messages that the widget page posts. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { pay } from './shopper.ts'

const shop = await shopForTests()

/** A merchant page with the widget in a frame that writes down what it is told. */
async function embed(address: string): Promise<void> {
  await shop.page.goto(`${shop.url}/product`)
  await shop.page.evaluate((address) => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    addEventListener('message', ({ data }) => heard.push(data))
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
  }, address)
}

interface Message {
  type: string
  height?: number
}

const allHeard = (): Promise<Message[]> => shop.page.evaluate(() => Reflect.get(window, 'heard'))
const heard = async (): Promise<Message[]> => (await allHeard()).filter(({ type }) => type !== 'height')

test('with the switch on, the host page hears ready, finished and close', async () => {
  await shop.control('PATCH', 'switches', { postsMessages: true })
  await embed(await shop.widgetAddress({ product_id: 'gold-100' }))
  const frame = shop.page.frameLocator('iframe')
  await pay(frame)
  await frame.getByRole('button', { name: 'Close' }).click()
  const [order] = await shop.orders()
  const source = 'purchase-widget'
  await expect.poll(heard).toEqual([
    { source, type: 'ready' },
    { source, type: 'finished', order_id: order?.id },
    { source, type: 'close', order_id: order?.id },
  ])
})

test('finished is said once, however long the shopper stays', async () => {
  await shop.control('PATCH', 'switches', { postsMessages: true })
  await embed(await shop.widgetAddress({ product_id: 'club-monthly' }))
  const frame = shop.page.frameLocator('iframe')
  await pay(frame)
  await frame.getByRole('button', { name: 'Cancel subscription' }).click()
  await frame.getByRole('button', { name: 'Yes, cancel it' }).click()
  await frame.getByText(/^Subscription cancelled/).waitFor()
  expect(await heard()).toMatchObject([{ type: 'ready' }, { type: 'finished' }])
})

test('with the switch on, a frame as tall as the page says shows all of it', async () => {
  await shop.control('PATCH', 'switches', { postsMessages: true })
  await embed(await shop.widgetAddress({ product_id: 'gold-100' }))
  const frame = shop.page.frameLocator('iframe')
  await frame.getByText('Test cards').click()
  const content = frame.locator('html')
  // As a page does it: every height that is heard is taken.
  const followHeight = async (): Promise<number> => {
    const height = (await allHeard()).findLast(({ type }) => type === 'height')?.height ?? 0
    await shop.page.locator('iframe').evaluate((element, height) => {
      element.style.height = `${height}px`
    }, height)
    return content.evaluate((page) => page.scrollHeight - innerHeight)
  }
  await expect.poll(followHeight).toBe(0)
  const last = await frame.getByRole('listitem').last().boundingBox()
  const box = await shop.page.locator('iframe').boundingBox()
  expect(last && box && box.y + box.height - (last.y + last.height)).toBeLessThan(40)
})

test('with the switch off, no message is posted', async () => {
  await embed(await shop.widgetAddress({ product_id: 'gold-100' }))
  await shop.page.frameLocator('iframe').getByRole('button', { name: /^Pay/ }).waitFor()
  expect(await allHeard()).toEqual([])
})

test('a page alone in a tab posts no message', async () => {
  await shop.control('PATCH', 'switches', { postsMessages: true })
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page)
  await shop.page.getByText('You can close this window.').waitFor()
  expect(await shop.page.getByRole('button', { name: 'Close' }).count()).toBe(0)
})
