// Promise: link/own-pages
// Promise: link/sign-in
/** The link of the shop's own pages where the first try does not open the widget, or the browser says less than usual. One purchase results. */
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { memoryStore, type Purchase, PurchaseRefused, type Store } from '@purchase-widget/server'
import { full, recordFigure } from '../../scripts/proof.ts'
import { button, documentOf, link, type PageOf } from '../fixtures/launchPages.ts'
import { isControlled, serveWorker } from '../fixtures/serviceWorker.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { View } from './driver.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const named = (companion: string): string => `${companion}/launch?product_id=gold-100&purchase=${id}`

const purchasesIn = async (store: Store): Promise<Purchase[]> =>
  (await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100 })).map(
    ({ purchase }) => purchase,
  )

const showsWidget = (view: View): Promise<void> =>
  expect.poll(() => view.text({ label: 'Email' }), 'the widget').not.toBeNull()

test('a link that was refused opens the same purchase when it is tried again', { tag: oneEngine }, async ({
  shopper,
  merchant,
  service,
}) => {
  const store = memoryStore()
  let isSoldOut = true
  service.sell({
    store,
    createPurchase() {
      if (isSoldOut) throw new PurchaseRefused('This one is sold out.')
      return { params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }
    },
  })
  merchant.page('/from', { body: link(named(`${merchant.url}/companion`)) })
  const { page } = await shopper.visit(`${merchant.url}/from`)
  await page.click({ link: 'Go' })
  for (let tries = 0; tries < 3; tries++) {
    await expect.poll(() => page.text({ css: 'h1' })).toBe('This one is sold out.')
    expect(await purchasesIn(store)).toEqual([])
    isSoldOut = tries < 2
    await page.click({ link: 'Try again' })
  }
  await showsWidget(page)
  expect(await purchasesIn(store)).toMatchObject([{ id, surface: 'iframe' }])
  recordFigure(`link, refused and tried again, ${shopper.engine}`, 'the widget, one purchase')
})

test('a link that leads to the sign-in page opens the purchase for whoever has signed in', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  const store = memoryStore()
  service.sell({
    store,
    authorize: ({ url, headers }) =>
      headers.get('cookie')?.includes('shopper=ada')
        ? { customId: 'ada' }
        : Response.redirect(`${merchant.url}/sign-in?next=${encodeURIComponent(url)}`, 303),
  })
  merchant.page('/from', { body: link(named(`${merchant.url}/companion`)) })
  merchant.page('/sign-in', {
    body: `<h1>Sign in</h1><button>Sign in</button><script>document.querySelector('button').onclick = () => {
      document.cookie = 'shopper=ada; path=/'
      location.href = new URLSearchParams(location.search).get('next')
    }</script>`,
  })
  const { page } = await shopper.visit(`${merchant.url}/from`)
  await page.click({ link: 'Go' })
  // The companion's page, or the sign-in itself.
  const signIn = () => page.text({ button: 'Sign in' })
  await expect.poll(async () => (await signIn()) ?? page.text({ css: 'main a' })).not.toBeNull()
  if ((await signIn()) === null) await page.click({ css: 'main a' })
  await expect.poll(() => page.text({ css: 'h1' })).toBe('Sign in')
  expect(await purchasesIn(store)).toEqual([])
  await page.click({ button: 'Sign in' })
  await showsWidget(page)
  expect(await purchasesIn(store)).toMatchObject([{ id, shopper: { customId: 'ada' } }])
  recordFigure(`link, after sign-in, ${shopper.engine}`, 'the widget, one purchase')
})

test('a link that passes through the shop’s service worker opens its purchase', { tag: oneEngine }, async ({
  shopper,
  merchant,
  service,
}) => {
  const store = memoryStore()
  service.sell({ store })
  serveWorker(merchant, 'event.respondWith(fetch(event.request))')
  merchant.page('/from', { body: link(named(`${merchant.url}/companion`)) })
  const { page } = await shopper.visit(`${merchant.url}/from`)
  test.skip(!(await isControlled(page)), 'This browser has no service workers in a fresh profile.')
  await page.click({ link: 'Go' })
  await showsWidget(page)
  expect(await purchasesIn(store)).toMatchObject([{ id }])
  recordFigure(`link, through a service worker, ${shopper.engine}`, 'the widget, one purchase')
})

/** The address of this machine in its network, where a browser has no secure context, and reports nothing about a navigation. */
const lan = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** The browser may never load such a frame (below), and the page would then not count as loaded. */
const laterFrame: PageOf = button(
  (address) => `document.body.append(Object.assign(document.createElement('iframe'), { src: ${address} }))`,
)

const onLan = {
  'a link': { page: link, query: '', isNamed: false },
  'a frame': { page: laterFrame, query: '', isNamed: false },
  // Nothing proves there that the shop's page has made the id.
  'a link that names a purchase': { page: link, query: `&purchase=${id}`, isNamed: true },
} as const

for (const [name, { page, query, isNamed }] of Object.entries(onLan)) {
  if (!full && !isNamed) continue
  test(`on plain http in a network, ${name} ${isNamed ? 'is refused' : 'begins a purchase'}`, {
    tag: oneEngine,
  }, async ({ shopper, service }) => {
    test.skip(!lan, 'This machine is in no network.')
    const store = memoryStore()
    service.sell({ store })
    process.env.PURCHASE_PLAIN_HTTP_HOSTS = `${lan}`
    const shop = createServer((request, response) => {
      const { host } = request.headers
      if (request.url?.startsWith('/companion/')) return void handle(request, response)
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=ada; SameSite=Lax' })
      response.end(documentOf(page(`http://${host}/companion/launch?product_id=gold-100${query}`)))
    }).listen(0, lan)
    await new Promise((resolve) => shop.once('listening', resolve))
    const url = `http://${lan}:${(shop.address() as { port: number }).port}`
    const handle = service.companion(url)
    try {
      const tab = await shopper.visit(url)
      expect(await tab.page.evaluate(() => isSecureContext)).toBe(false)
      await tab.page.click(page === link ? { link: 'Go' } : { button: 'Go' })
      if (isNamed) {
        await expect
          .poll(() => tab.page.text({ css: 'main p' }))
          .toBe('Only a page of the shop may begin a purchase by its id.')
        expect(await purchasesIn(store)).toEqual([])
      } else {
        // In a frame of a page from the network, Chromium and Firefox show no page of the machine itself, such as the sandbox's widget.
        if (page === link) await showsWidget(tab.page)
        const expected = [{ surface: 'launch', openedBy: 'link' }]
        await expect.poll(() => purchasesIn(store)).toMatchObject(expected)
      }
      recordFigure(
        `link, plain http in a network, ${name}, ${shopper.engine}`,
        isNamed ? 'refused' : 'one purchase',
      )
    } finally {
      delete process.env.PURCHASE_PLAIN_HTTP_HOSTS
      shop.closeAllConnections()
      shop.close()
    }
  })
}
