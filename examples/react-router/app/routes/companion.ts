import { clientFromEnv, createCompanion, createTokenLease } from '@purchase-widget/server'

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

const handle = ({ request }: { request: Request }): Promise<Response> => companion.fetch(request)

export { handle as action, handle as loader }
