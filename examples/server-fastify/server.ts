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
app.register(async (scope) => {
  // The companion reads the body itself.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.all('/api/purchase-widget/*', (request, reply) => {
    reply.hijack()
    return handler(request.raw, reply.raw)
  })
})

await app.listen({ port: Number(process.env.PORT ?? 3000) })
console.log('Listening on', app.server.address())
