/** A purchase as a test needs it. */
import { randomUUID } from 'node:crypto'
import type { Purchase } from '../../src/purchase/purchase.ts'

export function purchaseOf(fields: Partial<Purchase> = {}): Purchase {
  const begunAt = fields.begunAt ?? Date.now()
  return {
    id: randomUUID(),
    shopper: { customId: 'ada' },
    formerly: [],
    params: { product_id: 'gold-100' },
    open: [],
    decidedBy: 'server',
    reference: null,
    url: 'https://shop.example/api/purchase-widget',
    returnUrl: null,
    failReturnUrl: null,
    surface: 'modal',
    redirectPage: 'self',
    hostOrigin: null,
    carrier: 'return_url',
    begunAt,
    validUntil: begunAt + 86_400_000,
    ...fields,
  }
}
