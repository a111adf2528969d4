/** A minimal merchant's server: a page with two links, a companion, and a list of deliveries. */
import { createServer } from 'node:http'
import { createCompanion, memoryStore, toNodeHandler } from '@purchase-widget/server'

const prices = { 'gold-100': '0.99', 'club-monthly': '4.99' }
const isSold = (id = ''): id is keyof typeof prices => Object.hasOwn(prices, id)
const returns = { returnUrl: '/thanks', failReturnUrl: '/sorry' }
const delivered: string[] = []
/** Paid orders that do not match their purchase. */
const held: string[] = []

const companion = toNodeHandler(
  createCompanion({
    store: memoryStore(),
    authorize: () => ({ customId: 'shopper-1' }),
    createPurchase({ params: { product_id } }) {
      if (!isSold(product_id)) throw new Error(`${product_id} is not sold.`)
      return { params: { product_id, quote: 'USD', quote_amount: prices[product_id] }, ...returns }
    },
    onOrder({ order, purchase }) {
      if (order.type !== 'order_complete') return
      const isExpected = purchase.state === 'matched' || purchase.state === 'renewal'
      const list = isExpected ? delivered : held
      list.push(`${purchase.state} ${order.id}`)
    },
  }),
)

/** Hosts that the page may open over plain http, as on the server. */
const plainHttp = process.env.PURCHASE_PLAIN_HTTP_HOSTS ?? ''

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>Shop</title>
  <script async src="/api/purchase-widget/purchase-widget.js" data-plain-http-hosts="${plainHttp}"></script>${body}</html>`

const link = (id: string, text: string): string =>
  `<p><a href="/api/purchase-widget/launch?product_id=${id}" data-purchase-widget data-mode="modal">${text}</a></p>`

const listOf = (lines: readonly string[]): string =>
  `<ol>${lines.map((line) => `<li>${line}</li>`).join('')}</ol>`

const pages: Partial<Record<string, () => string>> = {
  '/': () => `<h1>Shop</h1>${link('gold-100', 'Buy gold')}${link('club-monthly', 'Join the club')}`,
  '/thanks': () => '<h1>Thank you</h1>',
  '/sorry': () => '<h1>Nothing was bought</h1>',
  '/delivered': () => listOf(delivered),
  '/held': () => listOf(held),
}

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/api/purchase-widget/')) return void companion(request, response)
  const body = pages[pathname]?.()
  response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' }).end(page(body ?? 'Nothing is here.'))
}).listen(process.env.PORT)
