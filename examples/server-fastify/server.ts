/** The companion in Fastify 5. */
import { clientFromEnv, createCompanion, createTokenLease, toNodeHandler } from '@purchase-widget/server'
import fastify from 'fastify'

const client = clientFromEnv(process.env)
const companion = createCompanion({
  client,
  tokens: createTokenLease({ client }),
  // Your session says who is signed in.
  authorize(request) {
    const customId = /shopper=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    return customId ? { customId } : null
  },
  onOrder(order) {
    if (order.type === 'order_complete')
      console.log(`Deliver ${order.product_id}, once for order ${order.id}.`)
  },
})

const app = fastify()
const handler = toNodeHandler(companion)
app.all('/api/purchase-widget/*', {
  // Before Fastify reads the body: the companion does that itself, and answers whatever happens.
  onRequest(request, reply) {
    reply.hijack()
    void handler(request.raw, reply.raw)
  },
  handler: () => {},
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log('Listening on', app.server.address())
