/** The companion in plain Node http. */
import { createServer } from 'node:http'
import { clientFromEnv, createCompanion, createTokenLease, toNodeHandler } from '@purchase-widget/server'

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

const server = createServer(toNodeHandler(companion))
server.listen(Number(process.env.PORT ?? 3000), () => console.log('Listening on', server.address()))
