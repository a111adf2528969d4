/** Where tokens and card data must not be found. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { pay } from './shopper.ts'

const shop = await shopForTests()

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
