import { type Companion, clientFromEnv, createCompanion, createTokenLease } from '@purchase-widget/server'

let companion: Companion | undefined

/** One for the process, made with the first request: a build has no keys. */
export function getCompanion(): Companion {
  companion ??= makeCompanion()
  return companion
}

function makeCompanion(): Companion {
  const client = clientFromEnv(process.env)
  return createCompanion({
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
}
