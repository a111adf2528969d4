/** Fulfilment over the real sandbox, with purchases that are all unchecked. */
import {
  createFulfilment,
  type Fulfilment,
  type FulfilmentOptions,
} from '../../src/fulfilment/createFulfilment.ts'
import { createTokenLease, memoryStore, type PurchaseClient } from '../../src/index.ts'
import type { PurchaseOfOrder } from '../../src/purchase/purchase.ts'

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

export function fulfilmentOf(
  client: PurchaseClient,
  options: Partial<FulfilmentOptions> & Pick<FulfilmentOptions, 'onOrder'>,
): Fulfilment {
  return createFulfilment({
    client,
    tokens: createTokenLease({ client }),
    store: memoryStore(),
    assess: async () => unchecked,
    onError: () => {},
    now: Date.now,
    ...options,
  })
}

/** A clock that moves when it is told to. */
export function testClock(): { now: () => number; advance: (ms: number) => void } {
  let at = Date.now()
  return {
    now: () => at,
    advance: (ms) => {
      at += ms
    },
  }
}
