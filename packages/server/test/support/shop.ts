/** Instances of one shop, which are companions at one public address, and the actions of shoppers and the service. */
import { expect } from 'vitest'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
  memoryStore,
  type OrderEvent,
  type OrderSummary,
  type PurchaseAnswer,
  type PurchaseClient,
  type Store,
  type TokenGrant,
} from '../../src/index.ts'
import { companionOf, get, mount, post } from './companion.ts'

export interface Instance {
  companion: Companion
  /** The calls of its `onOrder`. */
  received: OrderEvent[]
  /** @throws unless a purchase is created. */
  begin(shopper: string, params?: Record<string, string>, address?: string): Promise<TokenGrant>
  ask(purchaseId: string, shopper?: string, query?: string): Promise<PurchaseAnswer>
  orders(shopper: string): Promise<OrderSummary[]>
  /** Sends a webhook for an order like the service; returns the status. */
  webhook(orderId: string): Promise<number>
  /** Sends a webhook for a new order, and returns the purchase that `onOrder` then receives. */
  stateOf(order: { id: string }): Promise<OrderEvent['purchase']>
}

/** Sells the product that the page names, or gold. Its callers have no rate limit, and failures are not logged. */
export function openInstance(
  client: PurchaseClient,
  store: Store = memoryStore(),
  options: Partial<CompanionOptions> = {},
): Instance {
  const received: OrderEvent[] = []
  const companion = companionOf(client, {
    store,
    url: mount,
    rateLimit: { perShopper: 1e9, perAddress: 1e9 },
    onError: () => {},
    createPurchase: ({ params: { product_id = 'gold-100' } }) => ({
      params: { product_id, quote: 'USD', quote_amount: '9.99' },
      returnUrl: '/thanks',
    }),
    onOrder: (event) => void received.push(event),
    ...options,
  })
  async function read<T>(request: Request, address?: string): Promise<T> {
    const response = await companion.fetch(request, address === undefined ? {} : { address })
    if (response.status !== 200) throw new Error(`${request.url}: ${response.status}`)
    return (await response.json()) as T
  }
  async function webhook(orderId: string): Promise<number> {
    const path = `/webhook/${await webhookKeyOf(client)}`
    return (await companion.fetch(post(path, { order_id: orderId }))).status
  }
  return {
    companion,
    received,
    webhook,
    begin: (shopper, params = {}, address) => read(post('/token', { params }, shopper), address),
    ask: (purchaseId, shopper, query = '') => read(get(`/purchases/${purchaseId}${query}`, shopper)),
    orders: async (shopper) => (await read<{ orders: OrderSummary[] }>(get('/orders', shopper))).orders,
    async stateOf({ id }) {
      expect(await webhook(id)).toBe(202)
      const event = (): OrderEvent | undefined => received.find(({ order }) => order.id === id)
      await expect.poll(event).toBeDefined()
      return event()?.purchase as OrderEvent['purchase']
    },
  }
}

/** A store in which no instance reconciles. */
export const withoutReconciling = (store: Store): Store => ({
  ...store,
  purchases: { ...store.purchases, unsettled: async () => [], subscriptionsDue: async () => [] },
})
