/** A purchase and an order as a test needs them. */
import { randomUUID } from 'node:crypto'
import type { RecordedOrder, Purchase } from '../../purchase/purchase.ts'
import type { Store } from '../store.ts'

/** Begun now and valid for a day, unless the fields say otherwise. */
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
