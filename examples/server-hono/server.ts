/** The companion in Hono, on Node. On other runtimes only the last lines differ. */
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { clientFromEnv, createCompanion, createTokenLease } from '@purchase-widget/server'
import { Hono } from 'hono'

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

const app = new Hono()
app.all('/api/purchase-widget/*', (c) =>
  companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
)

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, (address) =>
  console.log('Listening on', address),
)
