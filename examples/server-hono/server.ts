/** The companion in Hono, on Node. On other runtimes only the last lines differ. */
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { createCompanion, PurchaseRefused } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import { type Context, Hono } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'

const file = process.env.DATABASE ?? 'shop.sqlite'
/** Placeholder for your catalogue. */
const prices = new Map([['gold-100', '0.99']])
const DAY = 24 * 60 * 60 * 1000
const secret = process.env.SESSION_SECRET ?? crypto.randomUUID()

const companion = createCompanion({
  store: sqliteStore(file),
  // Your session identifies the signed-in shopper.
  async authorize(_request, c: Context) {
    const session = (await getSignedCookie(c, secret, 'session')) || ''
    const [customId = '', until] = session.split('.')
    return Number(until) > Date.now() ? { customId } : null
  },
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

const app = new Hono()
app.all('/api/purchase-widget/*', (c) =>
  companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address, context: c }),
)
// Placeholder for your sign-in. The cookie contains its expiry, because a browser's clock and copies of the cookie prove nothing.
app.post('/sign-in', async (c) => {
  const secure = process.env.NODE_ENV === 'production'
  const session = `${crypto.randomUUID()}.${Date.now() + DAY}`
  await setSignedCookie(c, 'session', session, secret, { httpOnly: true, sameSite: 'Lax', secure })
  return c.body(null, 204)
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, (address) =>
  console.log('Listening on', address),
)
