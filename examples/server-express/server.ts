/** The companion in Express 5. */
import { createCompanion, PurchaseRefused, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import cookieSession from 'cookie-session'
import express, { type Request as ExpressRequest } from 'express'

const file = process.env.DATABASE ?? 'shop.sqlite'
/** Placeholder for your catalogue. */
const prices = new Map([['gold-100', '0.99']])
const DAY = 24 * 60 * 60 * 1000

const companion = createCompanion({
  store: sqliteStore(file),
  // Your session identifies the signed-in shopper.
  authorize: (_request, shopper?: string) => (shopper ? { customId: shopper } : null),
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

const app = express()
// A signed cookie. It contains its expiry, because a browser's clock and copies of the cookie prove nothing.
app.use(
  cookieSession({ secret: process.env.SESSION_SECRET ?? crypto.randomUUID(), maxAge: DAY, sameSite: 'lax' }),
)
const shopperOf = ({ session }: ExpressRequest) =>
  session?.until > Date.now() ? session?.shopper : undefined
// Before middleware that sets headers, such as helmet: the return page sets its own.
app.use('/api/purchase-widget', toNodeHandler(companion, { context: shopperOf }))
// Placeholder for your sign-in.
app.post('/sign-in', (req, res) => {
  req.session = { shopper: crypto.randomUUID(), until: Date.now() + DAY }
  res.sendStatus(204)
})

const server = app.listen(Number(process.env.PORT ?? 3000), () =>
  console.log('Listening on', server.address()),
)
