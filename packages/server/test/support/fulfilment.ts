/** Fulfilment with timers, a store and a service that the test controls. All purchases are unchecked. */
import { vi } from 'vitest'
import { createFulfilment, type FulfilmentOptions } from '../../src/fulfilment/createFulfilment.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import type { OnOrder, PurchaseOfOrder } from '../../src/purchase/purchase.ts'
import { fakeTimers } from './fakeTimers.ts'

export const unchecked: PurchaseOfOrder = {
  id: 'a-purchase',
  state: 'unchecked',
  differences: [],
  params: {},
  reference: null,
  begunAt: new Date(0),
}

export const none: PurchaseOfOrder = {
  id: null,
  state: 'none',
  differences: [],
  params: {},
  reference: null,
  begunAt: null,
}

export const orderOf = (id: string, type = 'order_complete'): Order => ({
  id,
  type,
  custom_id: 'ada',
  raw: {},
})

/** All orders belong to Ada. */
export function fulfilling(orders: Order[], options: Partial<FulfilmentOptions> = {}) {
  const awake = fakeTimers()
  const store = memoryStore()
  const errors: string[] = []
  const onOrder = vi.fn<OnOrder>()
  const spies = {
    add: vi.spyOn(store.jobs, 'add'),
    claim: vi.spyOn(store.jobs, 'claim'),
    sweep: vi.spyOn(store, 'sweep'),
    unsettled: vi.spyOn(store.purchases, 'unsettled'),
  }
  const list = vi.fn(async () => orders)
  const retrieve = vi.fn(
    async ({ order_id }: { order_id: string }) =>
      orders.find(({ id }) => id === order_id) ?? orderOf('another'),
  )
  const fulfilment = createFulfilment({
    client: {
      transactions: { retrieve },
      subscriptions: { list: async () => [], retrieve: () => Promise.reject(new Error('not asked')) },
      orders: { list, listAll: () => Promise.reject(new Error('not of the whole business')) },
    },
    tokens: { get: async () => ({ accessToken: 't', expiresAt: null }) },
    store,
    onOrder,
    assess: async () => unchecked,
    onError: (error) => errors.push(String(error)),
    now: Date.now,
    ...options,
  })
  const delivered = (): string[] => onOrder.mock.calls.map(([{ order }]) => `${order.id} ${order.type}`)
  return { awake, store, errors, onOrder, delivered, list, retrieve, fulfilment, ...spies }
}

export const takes = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
