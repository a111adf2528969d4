// Promises: widget/memory, widget/messages
/** What the widget page keeps across a reload, what it reports to other pages, and what it never stores or reports. */
import { expect, test } from 'vitest'
import { pay, shopForTests } from './shop.ts'

const shop = await shopForTests()
const product_id = 'gold-100'
const complete = { name: 'Payment complete' }

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

test('a reload while the payment runs finds it complete and charges once; a new launch in the same tab is a new visit', async () => {
  await shop.sandbox.switches.set({ paymentMs: 2_000 })
  await shop.open({ product_id })
  await Promise.all([shop.page.waitForRequest('**/pay'), pay(shop.page)])
  await shop.page.reload()
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toHaveLength(1)
  await shop.sandbox.switches.set({ paymentMs: 0 })
  await shop.open({ product_id: 'gold-550' })
  await pay(shop.page)
  await shop.page.getByRole('heading', complete).waitFor()
  expect(await shop.sandbox.orders()).toHaveLength(2)
})

test('once the checkout has started, the token is nowhere in the page, and card data is stored nowhere', async () => {
  const token = await shop.createToken()
  await shop.page.goto(await shop.widgetAddress({ product_id }, token))
  await pay(shop.page, { card: '4000 0000 0000 4004' })
  await shop.page.getByRole('alert').waitFor()
  const surfaces = await shop.page.evaluate(async () => ({
    address: location.href,
    title: document.title,
    document: document.documentElement.outerHTML,
    history: JSON.stringify(history.state),
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    databases: JSON.stringify(await indexedDB.databases()),
    cookies: document.cookie,
    name: window.name,
    referrer: document.referrer,
  }))
  for (const [surface, text] of Object.entries(surfaces)) {
    expect(text, surface).not.toContain(token)
    // The document contains the listed test cards, so it cannot be checked for card numbers.
    if (surface !== 'document') expect(text, surface).not.toMatch(/4000 ?0000/)
  }
})

test('no request of the page has a Referer, and nothing breaks its Content-Security-Policy', async () => {
  await shop.useProfile()
  const referers: (string | undefined)[] = []
  const complaints: string[] = []
  shop.page.on('request', (request) => referers.push(request.headers().referer))
  shop.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await shop.open({ product_id, redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(referers.filter(Boolean)).toEqual([])
  expect(complaints).toEqual([])
})

interface Message {
  type: string
  height?: number
}

const received = (): Promise<Message[]> => shop.page.evaluate(() => Reflect.get(window, 'received'))
const receivedButHeights = async (): Promise<Message[]> =>
  (await received()).filter(({ type }) => type !== 'height')
const frame = () => shop.page.frameLocator('iframe')

test('with the switch on, the host page receives ready, finished and close, each once', async () => {
  await shop.sandbox.switches.set({ postsMessages: true })
  await shop.openFromShop('frame', { product_id: 'club-monthly' })
  await pay(frame())
  for (const name of ['Cancel subscription', 'Yes, cancel it', 'Close'])
    await frame().getByRole('button', { name }).click()
  const [order] = await shop.sandbox.orders()
  const source = 'purchase-widget'
  await expect.poll(receivedButHeights).toEqual([
    { source, type: 'ready' },
    { source, type: 'finished', order_id: order?.id },
    { source, type: 'close', order_id: order?.id },
  ])
})

test('with the switch on, a frame of the reported height shows the whole page', async () => {
  await shop.sandbox.switches.set({ postsMessages: true })
  await shop.openFromShop('frame', { product_id })
  await frame().getByText('Test cards').click()
  // As a merchant's page does: it applies every reported height.
  const followHeight = async (): Promise<number> => {
    const height = (await received()).findLast(({ type }) => type === 'height')?.height ?? 0
    await shop.page.locator('iframe').evaluate((element, height) => {
      element.style.height = `${height}px`
    }, height)
    return frame()
      .locator('html')
      .evaluate((page) => page.scrollHeight - innerHeight)
  }
  await expect.poll(followHeight).toBe(0)
  const last = await frame().getByRole('listitem').last().boundingBox()
  const box = await shop.page.locator('iframe').boundingBox()
  expect(last && box && box.y + box.height - (last.y + last.height)).toBeLessThan(40)
})

test('with the switch off, no message is posted', async () => {
  await shop.openFromShop('frame', { product_id })
  await frame().getByRole('button', { name: /^Pay/ }).waitFor()
  expect(await received()).toEqual([])
})

test('a page alone in a tab offers no Close', async () => {
  await shop.sandbox.switches.set({ postsMessages: true })
  await shop.open({ product_id })
  await pay(shop.page)
  await shop.page.getByText('You can close this window.').waitFor()
  expect(await shop.page.getByRole('button', { name: 'Close' }).count()).toBe(0)
})
