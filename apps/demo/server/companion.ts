/** The whole integration of this merchant's server: who is asking, what is sold, and what to deliver. */
import { createCompanion, type PurchaseClient, PurchaseRefused } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import { findProduct } from '../catalogue.ts'
import type { Deliveries } from './deliveries.ts'
import { shopperOf } from './visitor.ts'

interface CompanionParts {
  /** Of the shop, without a slash at the end. */
  shopUrl: string
  client: PurchaseClient
  /** The shop's SQLite file, which the store shares. */
  file: string
  /** Signs the session cookie. */
  secret: string
  deliveries: Deliveries
}

export const createShopCompanion = ({ shopUrl, client, file, secret, deliveries }: CompanionParts) =>
  createCompanion({
    url: `${shopUrl}/api/purchase-widget`,
    client,
    store: sqliteStore(file),
    // For the page /token alone, which builds the widget's address itself.
    pageToken: true,
    async authorize(request) {
      const customId = await shopperOf(request, secret)
      if (customId) return { customId }
      // A link without a session leads to the shop, a script gets 401.
      return request.url.includes('/launch?') ? Response.redirect(shopUrl, 303) : null
    },
    // What a page asks for is untrusted. The price is decided here.
    createPurchase({ params: { product_id } }) {
      const product = findProduct(product_id)
      if (!product) throw new PurchaseRefused('The shop does not sell that.')
      const params = { product_id: product.id, quote: 'USD', quote_amount: product.price }
      const returns = { returnUrl: '/return', failReturnUrl: '/return' }
      if (product.kind !== 'crypto') return { params, ...returns }
      // How many coins the money buys is known when it is paid.
      const coins = { base: product.coin, address: product.address }
      return { params: { ...params, ...coins }, open: ['base_amount'], ...returns }
    },
    onOrder(event) {
      const { order, purchase } = event
      if (order.type !== 'order_complete') return
      if (purchase.state === 'matched' || purchase.state === 'renewal') deliveries.deliver(event)
      else deliveries.hold(event)
    },
  })
