// Promise: widget/memory
/** What the widget page remembers of a visit over a reload, and where tokens and card data must not be found. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { aboveLowLimit, pay } from './shopper.ts'

const shop = await shopForTests()

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

test('a reload at the identity step stays there, and the payment goes on from it', async () => {
  await shop.open(aboveLowLimit)
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Confirm who you are' }).waitFor()
  await shop.page.reload()
  await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  await shop.page.getByRole('button', { name: /^Confirm and pay/ }).click()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toMatchObject([{ type: 'order_complete' }])
})

test('a reload while the payment runs finds it complete, and charges once', async () => {
  await shop.control('PATCH', 'switches', { paymentMs: 2_000 })
  await shop.open({ product_id: 'gold-100' })
  await Promise.all([shop.page.waitForRequest('**/pay'), pay(shop.page)])
  await shop.page.reload()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toHaveLength(1)
})

test('a new launch in the same tab is a new visit', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await shop.open({ product_id: 'gold-550' })
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(await shop.orders()).toHaveLength(2)
})

test('once the checkout has begun, the token is nowhere in the page, and card data is kept nowhere', async () => {
  const token = await shop.createToken()
  await shop.page.goto(await shop.widgetAddress({ product_id: 'gold-100' }, token))
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
    // The page lists its test cards, so of the document nothing can be said.
    if (surface !== 'document') expect(text, surface).not.toMatch(/4000 ?0000/)
  }
})

test('no request of the page has a Referer, and nothing breaks its Content-Security-Policy', async () => {
  const referers: (string | undefined)[] = []
  const complaints: string[] = []
  shop.page.on('request', (request) => referers.push(request.headers().referer))
  shop.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await shop.open({ product_id: 'gold-100', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(referers.filter(Boolean)).toEqual([])
  expect(complaints).toEqual([])
})
