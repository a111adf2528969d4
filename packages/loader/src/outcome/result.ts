/** What the merchant's server answers, and what that means for a purchase. Pure. */
import type { OrderSummary, OrderType, PurchaseResult } from '../types.ts'

/** The companion's `GET /purchases/:id`, or what `confirm` resolves to. */
export interface Answer {
  status: 'none' | 'pending' | 'complete' | 'failed'
  /** False: the service was not asked this time, and may know more. */
  fresh?: boolean
  /** How the order fits what was begun. */
  state?: string | null
  order?: OrderSummary | null
  /** Where the merchant wants the shopper for this status. */
  returnUrl?: string | null
  /** Why the companion has not opened the purchase's link. */
  refused?: Refusal
}

/** What the companion says with a refusal. */
export interface Refusal {
  code: string
  message: string
}

/** How an order has ended; undefined while it is on its way, which any unlisted type counts as (U14). */
export const outcomeOf = (
  order: { type?: OrderType | undefined } | null | undefined,
): 'success' | 'failure' | undefined =>
  order?.type === 'order_complete' ? 'success' : order?.type === 'order_failed' ? 'failure' : undefined

export const unknown: PurchaseResult = {
  status: 'unknown',
  reason: 'Your server knows no finished order.',
}

export const unanswered: PurchaseResult = { status: 'unknown', reason: 'Your server did not answer.' }

/** What a return page says, where there is no server to ask. */
export const hintedResult = (status: 'success' | 'failure' | 'unknown', returnUrl: string): PurchaseResult =>
  status === 'unknown' ? unknown : { status, verified: false, ...(returnUrl && { returnUrl }) }

/** States of a paid order that is what was begun. */
const fits: readonly unknown[] = ['matched', 'unchecked', 'renewal']

/** The result of a purchase: what the merchant's server says, else `otherwise`, with the order that has not ended. */
export function resultOf(
  { status, state, order }: Answer,
  otherwise: PurchaseResult,
  returnUrl?: string,
): PurchaseResult {
  const decline = order?.decline
  const known = {
    ...(order && { order }),
    ...(returnUrl && { returnUrl }),
  }
  if (status === 'complete') return { status: 'success', verified: fits.includes(state), ...known }
  if (status === 'failed')
    return {
      status: 'failure',
      verified: true,
      ...known,
      ...(decline && { decline }),
    }
  return order ? ({ ...otherwise, order } as PurchaseResult) : otherwise
}

/** Whether nothing more can become of the purchase. */
export const isOver = (result: PurchaseResult): boolean =>
  result.status === 'success' || result.status === 'failure' || (result.status === 'closed' && !result.order)
