/** The companion in Hono, on Node. On other runtimes only the last lines differ. */
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { clientFromEnv, createCompanion, createTokenLease, memoryStore } from '@purchase-widget/server'
import { Hono } from 'hono'

/** Stands for a table with a unique key over order id and type: after a crash an order may be told once more. */
const delivered = new Set<string>()

const client = clientFromEnv(process.env)
const companion = createCompanion({
  client,
  tokens: createTokenLease({ client }),
  // Forgets at a restart. Where you sell: redisStore(…), see docs/server.md.
  store: memoryStore(),
  // Your session says who is signed in.
  authorize(request) {
    const customId = /shopper=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    return customId ? { customId } : null
  },
  onOrder({ id, type, product_id }) {
    const key = `${id} ${type}`
    if (type !== 'order_complete' || delivered.has(key)) return
    delivered.add(key)
    console.log(`Deliver ${product_id}, once for order ${id}.`)
  },
})

const app = new Hono()
app.all('/api/purchase-widget/*', (c) =>
  companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
)

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, (address) =>
  console.log('Listening on', address),
)
