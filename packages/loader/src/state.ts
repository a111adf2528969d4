/** What an order means for a purchase. Pure. */
import type { OrderSummary, PurchaseResult, ReturnInfo } from './types.ts'

/** Whether an order has come to an end that this loader knows; any other type is on its way (U14). */
export const hasEnded = (order: OrderSummary | null | undefined): order is OrderSummary =>
  /^order_(complete|failed)$/.test(order?.type ?? '')

/** The result that a return address suggests, when the server can't say. */
export const unverified = ({ status, url }: ReturnInfo): PurchaseResult =>
  status === 'unknown'
    ? { status, reason: 'The server knows no finished order.' }
    : { status, verified: false, returnUrl: url }

/**
 * The result of a purchase: what the merchant's server says of its order, else `otherwise`, which holds what the page knows.
 */
export function resultOf(
  order: OrderSummary | null | undefined,
  otherwise: PurchaseResult,
  returnUrl?: string,
): PurchaseResult {
  if (!order) return otherwise
  if (!hasEnded(order)) return { ...otherwise, order } as PurchaseResult
  const { decline } = order
  return {
    verified: true,
    order,
    ...(returnUrl && { returnUrl }),
    ...(order.type === 'order_complete'
      ? { status: 'success' }
      : { status: 'failure', ...(decline && { decline }) }),
  }
}

/** Where a finished order sends the shopper. */
export interface Redirect {
  url: string
  target: '_self' | '_blank'
}

/**
 * The rule of `redirect_page`: a complete order goes to `redirect_url`, a failed one to `fail_redirect_url`, any other nowhere.
 */
export function resolveRedirect({
  type,
  redirect_url,
  fail_redirect_url,
  redirect_page,
}: Pick<OrderSummary, 'type' | 'redirect_url' | 'fail_redirect_url' | 'redirect_page'>): Redirect | null {
  const url =
    type === 'order_complete' ? redirect_url : type === 'order_failed' ? fail_redirect_url : undefined
  return url ? { url, target: redirect_page === 'new' ? '_blank' : '_self' } : null
}
