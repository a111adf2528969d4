/** The companion in Express 5. */
import {
  clientFromEnv,
  createCompanion,
  createTokenLease,
  memoryStore,
  toNodeHandler,
} from '@purchase-widget/server'
import express from 'express'

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

const app = express()
app.use('/api/purchase-widget', toNodeHandler(companion))

const server = app.listen(Number(process.env.PORT ?? 3000), () =>
  console.log('Listening on', server.address()),
)
