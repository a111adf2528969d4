/** What an order means for a purchase. Needs nothing but the language. */
import type { OrderSummary, PurchaseResult, ReturnInfo } from './types.ts'
import { safeOrigin } from './url.ts'

/** How an order has ended; undefined while it is on its way, which any unlisted type counts as (U14). */
export const outcomeOf = (
  order: Pick<OrderSummary, 'type'> | null | undefined,
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

/** Where a finished order sends the shopper. */
export interface Redirect {
  url: string
  target: '_self' | '_blank'
}

/**
 * The rule of `redirect_page`: a complete order goes to `redirect_url`, a failed one to `fail_redirect_url`, any other nowhere.
 * Needs nothing but the language.
 *
 * An order's address is text that anybody may have given. It leads somewhere only when it is https, or http on loopback, and its
 * origin is the page's own or one of `allowedReturnOrigins`. Where there is no page (a server, a native app), give the origin of
 * your shop.
 */
export function resolveRedirect(
  order: Pick<OrderSummary, 'type' | 'redirect_url' | 'fail_redirect_url' | 'redirect_page'>,
  { allowedReturnOrigins = [] }: { allowedReturnOrigins?: readonly string[] | undefined } = {},
): Redirect | null {
  const outcome = outcomeOf(order)
  const url = outcome && (outcome === 'success' ? order.redirect_url : order.fail_redirect_url)
  const to = safeOrigin(url)
  return url && to && [globalThis.origin, ...allowedReturnOrigins].some((each) => safeOrigin(each) === to)
    ? { url, target: order.redirect_page === 'new' ? '_blank' : '_self' }
    : null
}
