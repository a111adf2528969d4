/** A purchase as a test needs it. */
import { randomUUID } from 'node:crypto'
import type { Purchase } from '../../purchase/purchase.ts'

/** Begun now and valid for a day, unless the fields say otherwise. */
export function purchaseOf(fields: Partial<Purchase> = {}): Purchase {
  const begunAt = fields.begunAt ?? Date.now()
  return {
    id: randomUUID(),
    shopper: { customId: 'ada' },
    formerly: [],
    params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
    open: ['base'],
    decidedBy: 'server',
    reference: 'basket “7”',
    url: 'https://shop.example/api/purchase-widget',
    returnUrl: 'https://shop.example/thanks',
    failReturnUrl: null,
    surface: 'modal',
    redirectPage: 'self',
    hostOrigin: 'https://shop.example',
    carrier: 'return_url',
    locale: null,
    begunAt,
    validUntil: begunAt + 86_400_000,
    ...fields,
  }
}
