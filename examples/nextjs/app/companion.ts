import {
  type Companion,
  clientFromEnv,
  createCompanion,
  createTokenLease,
  memoryStore,
} from '@purchase-widget/server'

let companion: Companion | undefined

/** Stands for a table with a unique key over order id and type: after a crash an order may be told once more. */
const delivered = new Set<string>()

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
}
