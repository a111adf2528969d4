/** Helpers that the store checks share. */

import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Purchase, RecordedOrder } from '../src/purchase/purchase.ts'
import type { Store } from '../src/stores/store.ts'

export interface StoresUnderTest {
  readonly one: Store
  /** Another instance over the same data, as in a second process; the same instance where a process has its own data. */
  readonly other: Store
  /** Called when the test is over, whether it passed or not: closes both and removes their data. */
  end(): Promise<void>
}

export type Checks = Readonly<Record<string, (stores: StoresUnderTest) => Promise<void>>>

/** Created now and valid for a day, unless the fields say otherwise. */
export function purchaseOf(fields: Partial<Purchase> = {}): Purchase {
  const begunAt = fields.begunAt ?? Date.now()
  return {
    id: randomUUID(),
    shopper: { customId: 'ada' },
    formerly: [],
    params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
    open: ['base'],
    chosen: {},
    decidedBy: 'server',
    reference: 'basket “7”',
    url: 'https://shop.example/api/purchase-widget',
    returnUrl: 'https://shop.example/thanks',
    failReturnUrl: null,
    surface: 'modal',
    preload: false,
    openedBy: 'shopper',
    redirectPage: 'self',
    hostOrigin: 'https://shop.example',
    carrier: 'return_url',
    locale: null,
    begunAt,
    validUntil: begunAt + 86_400_000,
    ...fields,
  }
}

export const orderOf = (fields: Partial<RecordedOrder> = {}): RecordedOrder => ({
  id: 'order-1',
  type: 'order_failed',
  state: 'matched',
  summary: '{"id":"order-1"}',
  ...fields,
})

export async function begin({ purchases }: Store, fields: Partial<Purchase> = {}): Promise<Purchase> {
  const purchase = purchaseOf(fields)
  await purchases.begin(purchase)
  return purchase
}

/** @throws Error when there is no value after 20 seconds. */
export async function until<T>(what: string, check: () => Promise<T | null | undefined | false>): Promise<T> {
  const giveUpAt = performance.now() + 20_000
  while (performance.now() < giveUpAt) {
    const value = await check()
    if (value) return value
    await setTimeout(20)
  }
  throw new Error(`Waited too long for: ${what}`)
}

/** Whether each of these purchases still exists. */
export const areKept = ({ purchases }: Store, created: readonly Purchase[]): Promise<boolean[]> =>
  Promise.all(created.map(async ({ id }) => (await purchases.find(id)) !== null))
