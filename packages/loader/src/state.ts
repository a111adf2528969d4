/** What an order means for a purchase. Pure. */
import type { OrderSummary, OrderType, PurchaseResult, ReturnInfo } from './types.ts'

/** How an order has ended; undefined while it is on its way, which any unlisted type counts as (U14). */
export const outcomeOf = (
  order: { type?: OrderType | undefined } | null | undefined,
): 'success' | 'failure' | undefined =>
  order?.type === 'order_complete' ? 'success' : order?.type === 'order_failed' ? 'failure' : undefined

/** The result that a return address suggests, when the server can't say. */
export const unverified = ({ status, url }: ReturnInfo): PurchaseResult =>
  status === 'unknown' ? unknown : { status, verified: false, returnUrl: url }

export const unknown: PurchaseResult = { status: 'unknown', reason: 'Your server knows no finished order.' }

/**
 * The result of a purchase: what the merchant's server says of its order, else `otherwise`, which holds what the page knows.
 */
export function resultOf(
  order: OrderSummary | null | undefined,
  otherwise: PurchaseResult,
  returnUrl?: string,
): PurchaseResult {
  const status = outcomeOf(order)
  if (!order || !status) return order ? ({ ...otherwise, order } as PurchaseResult) : otherwise
  return {
    status,
    verified: true,
    order,
    ...(order.decline && { decline: order.decline }),
    ...(returnUrl && { returnUrl }),
  }
}
