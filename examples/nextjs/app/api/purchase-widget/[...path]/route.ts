/** The companion as a route handler. Nothing is read or opened before the first request, so a build needs no secrets. */
import { createCompanion, guests, PurchaseRefused } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import type { NextRequest } from 'next/server'
import { readSession } from '../../../session.ts'

const file = process.env.DATABASE ?? 'shop.sqlite'
/** Placeholder for your catalogue. */
const prices = new Map([['gold-100', '0.99']])

const companion = createCompanion({
  store: sqliteStore(file),
  // Your session identifies the signed-in shopper. Everybody else is a guest, and keeps what they bought when they sign in.
  authorize: guests({
    secret: process.env.SESSION_SECRET,
    async authorize(_request, request: NextRequest) {
      const shopper = await readSession(request)
      return shopper ? { customId: shopper } : null
    },
  }),
  // The page's parameters are untrusted. Your catalogue sets the price.
  createPurchase({ params: { product_id = '' } }) {
    const price = prices.get(product_id)
    if (!price) throw new PurchaseRefused('We do not sell that.')
    const params = { product_id, quote: 'USD', quote_amount: price }
    return { params, returnUrl: '/thanks', failReturnUrl: '/' }
  },
  // After a crash it may be called again for the same order. The example server-node delivers exactly once.
  onOrder({ order, purchase }) {
    if (order.type !== 'order_complete') return
    if (purchase.state === 'matched' || purchase.state === 'renewal') {
      console.log(`Deliver ${order.product_id} for order ${order.id}.`)
    } else {
      console.warn(`Order ${order.id} is paid but ${purchase.state}: review it before you deliver.`)
    }
  },
})

const handle = (request: NextRequest): Promise<Response> => companion.fetch(request, { context: request })

export { handle as GET, handle as OPTIONS, handle as POST }
