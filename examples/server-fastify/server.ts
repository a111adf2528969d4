/** The companion in Fastify 5. */
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import { createCompanion, PurchaseRefused, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import fastify, { type FastifyRequest } from 'fastify'

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

const app = fastify()
await app.register(cookie, { secret: process.env.SESSION_SECRET ?? crypto.randomUUID() })

/** A signed cookie. It contains its expiry, because a browser's clock and copies of the cookie prove nothing. */
function shopperOf(request: FastifyRequest): string | undefined {
  const { value } = request.unsignCookie(request.cookies.session ?? '')
  const [shopper, until] = value?.split('.') ?? []
  return Number(until) > Date.now() ? shopper : undefined
}

// Placeholder for your sign-in.
app.post('/sign-in', (_request, reply) => {
  const session = `${crypto.randomUUID()}.${Date.now() + DAY}`
  const options = { signed: true, path: '/', httpOnly: true, sameSite: 'lax', secure: 'auto' } as const
  return reply.code(204).setCookie('session', session, options).send()
})

const context = ({ shopper }: IncomingMessage & { shopper?: string | undefined }) => shopper
const handler = toNodeHandler(companion, { context })
app.all('/api/purchase-widget/*', {
  // Before Fastify reads the body: the companion reads it itself, and always sends the response.
  onRequest(request, reply) {
    reply.hijack()
    void handler(Object.assign(request.raw, { shopper: shopperOf(request) }), reply.raw)
  },
  handler: () => {},
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log('Listening on', app.server.address())
