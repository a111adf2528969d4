/** Purchases and orders as the service would return them, for tests that compare the two. */
import type { Order } from '../../src/index.ts'
import { customIdOf, returnAddress } from '../../src/purchase/carrier.ts'
import type { Purchase, PurchaseRecord, RecordedOrder } from '../../src/purchase/purchase.ts'

export const url = 'https://shop.example/api/purchase-widget'
export const begunAt = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

let ids = 0
const nextId = (): string => `purchase-${++ids}-`.padEnd(22, 'x')

export function purchaseOf(changes: Partial<Purchase> = {}): Purchase {
  return {
    id: nextId(),
    shopper: { customId: 'ada' },
    formerly: [],
    params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
    open: [],
    chosen: {},
    decidedBy: 'server',
    reference: null,
    returnUrl: null,
    failReturnUrl: null,
    surface: 'iframe',
    preload: false,
    openedBy: 'shopper',
    redirectPage: 'self',
    hostOrigin: null,
    carrier: 'return_url',
    locale: null,
    url,
    begunAt,
    validUntil: begunAt + DAY_MS,
    ...changes,
  }
}

/** The order of a purchase, paid unchanged. A field without a value is blank. */
export function orderOf(purchase: Purchase, changes: Partial<Order> = {}): Order {
  const { id, params, shopper, carrier } = purchase
  return {
    id: `order-${id}`,
    type: 'order_complete',
    base: '',
    base_amount: '',
    address: '',
    ...params,
    custom_id: carrier === 'custom_id' ? customIdOf(id) : (shopper.customId ?? ''),
    user_id: shopper.userId ?? 'somebody-of-the-service',
    redirect_url: returnAddress(url, id, 'success'),
    fail_redirect_url: returnAddress(url, id, 'failure'),
    redirect_page: 'self',
    raw: {},
    ...changes,
  }
}

export const rowOf = (
  orders: RecordedOrder[] = [],
  claimedBy: string | null = null,
  changes: Partial<Purchase> = {},
): PurchaseRecord => ({
  purchase: purchaseOf(changes),
  claimedBy,
  productId: null,
  payer: null,
  checkAt: null,
  preloadedUntil: null,
  orders,
})
