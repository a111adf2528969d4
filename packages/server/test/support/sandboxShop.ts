/** A shop over the real sandbox, which is told nothing by webhooks, and where nobody looks for orders that were missed. */
import { expect } from 'vitest'
import {
  type CompanionOptions,
  memoryStore,
  type Order,
  type OrderEvent,
  type PurchaseAnswer,
  type TokenGrant,
} from '../../src/index.ts'
import { companionOf, get, post } from './companion.ts'
import type { Service } from './service.ts'

interface Clock {
  time: number
}

export function shopOf(service: Service, clock: Clock, options: Partial<CompanionOptions> = {}) {
  const heard: OrderEvent[] = []
  const now = (): number => clock.time
  const store = memoryStore({ now })
  store.purchases.unsettled = async () => []
  const companion = companionOf(service.client(), {
    store,
    createPurchase: ({ params }) => ({
      params: { product_id: params.product_id ?? 'gold-100', quote: 'USD', quote_amount: '9.99' },
      returnUrl: '/thanks',
    }),
    onOrder: (event) => void heard.push(event),
    now,
    ...options,
  })
  return {
    store,
    companion,
    /** What `onOrder` has heard. */
    heard,
    async begin(params: Record<string, string> = {}, shopper = 'ada'): Promise<TokenGrant> {
      const response = await companion.fetch(post('/token', { params }, shopper))
      return (await response.json()) as TokenGrant
    },
    async ask(id: string, shopper?: string, query = ''): Promise<PurchaseAnswer> {
      const response = await companion.fetch(get(`/purchases/${id}${query}`, shopper))
      expect(response.status).toBe(200)
      return (await response.json()) as PurchaseAnswer
    },
    /** Looks at an order, and gives what was said of it. */
    async stateOf(order: Order): Promise<OrderEvent['purchase']> {
      const before = heard.length
      await companion.syncOrder({ order_id: order.id })
      await expect.poll(() => heard.length).toBe(before + 1)
      return heard[before]?.purchase as OrderEvent['purchase']
    },
  }
}
