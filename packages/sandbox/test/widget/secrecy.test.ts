/** Where tokens and card data must not be found. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { pay } from './shopper.ts'

const shop = await shopForTests()

test('once the checkout has begun, the token is nowhere in the page', async () => {
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
  for (const [surface, text] of Object.entries(surfaces)) expect(text, surface).not.toContain(token)
})

test('card data is kept nowhere', async () => {
  await shop.open({ product_id: 'gold-100' })
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  const kept = await shop.page.evaluate(() =>
    JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(kept).not.toMatch(/4242/)
})

test('no request of the page tells anybody its address', async () => {
  const referers: (string | undefined)[] = []
  shop.page.on('request', (request) => referers.push(request.headers().referer))
  await shop.open({ product_id: 'gold-100', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.waitForURL(`${shop.url}/thanks`)
  expect(referers.filter(Boolean)).toEqual([])
})

test('nothing in the page breaks its Content-Security-Policy', async () => {
  const complaints: string[] = []
  shop.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  const response = await shop.page.goto(await shop.widgetAddress({ product_id: 'club-monthly' }))
  expect(response?.headers()['content-security-policy']).toContain("default-src 'none'")
  await pay(shop.page)
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  expect(complaints).toEqual([])
})
