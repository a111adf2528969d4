/** The shop of the suite: the same companion on every runtime, made of its environment. Sessions are a header or a cookie. */
import { clientFromEnv, createCompanion, memoryStore, PurchaseRefused } from '@purchase-widget/server'

export function createShop(env, store = memoryStore()) {
  return createCompanion({
    client: clientFromEnv(env),
    store,
    url: env.PURCHASE_COMPANION_URL,
    pageToken: true,
    authorize: ({ headers }) => {
      const session = headers.get('authorization') ?? headers.get('cookie') ?? ''
      const [, customId, userId] = /shopper[ =]([\w-]+)(?::([\w-]+))?/.exec(session) ?? []
      return customId ? { customId, userId } : null
    },
    createPurchase({ params }) {
      if (params.product_id !== 'gold-100') throw new PurchaseRefused('We do not sell that.')
      return {
        params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' },
        returnUrl: '/thanks',
        reference: 'basket-1',
      }
    },
    onOrder: ({ order, purchase }) => deliver(env, order, purchase),
    rateLimit: { perShopper: 20 },
  })
}

/** The suite hears of each delivery, and may refuse it. */
async function deliver({ DELIVERIES_URL }, { id, type }, { state, reference }) {
  if (DELIVERIES_URL === undefined) return
  const body = JSON.stringify({ id, type, state, reference })
  const { ok } = await fetch(DELIVERIES_URL, { method: 'POST', body })
  if (!ok) throw new Error('The delivery was refused.')
}
