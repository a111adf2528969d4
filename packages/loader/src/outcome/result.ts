/** The answer of the merchant's server, and the result that follows from it. Pure. */
import type { OrderSummary, OrderType, PurchaseResult } from '../types.ts'

/** The companion's `GET /purchases/:id`, or what `confirm` resolves to. */
export interface Answer {
  status: 'none' | 'pending' | 'complete' | 'failed'
  /** False: the service was not asked this time, and may know more. */
  fresh?: boolean
  /** Whether the order matches the purchase. */
  state?: string | null
  order?: OrderSummary | null
  /** The merchant's return address for this status. */
  returnUrl?: string | null
  /** Why the companion has refused the purchase's link. */
  refused?: Refusal
}

/** The companion's reason for a refusal. */
export interface Refusal {
  code: string
  message: string
}

/** How an order has ended; undefined while it is on its way, as for any type that the service does not list (U14). */
export const outcomeOf = (
  order: { type?: OrderType | undefined } | null | undefined,
): 'success' | 'failure' | undefined =>
  order?.type === 'order_complete' ? 'success' : order?.type === 'order_failed' ? 'failure' : undefined

export const unknownResult: PurchaseResult = {
  status: 'unknown',
  reason: 'Your server knows no finished order.',
}

export const unansweredResult: PurchaseResult = { status: 'unknown', reason: 'Your server did not answer.' }

/** The result that a return page reports, if there is no server to ask. */
export const hintedResult = (status: 'success' | 'failure' | 'unknown', returnUrl: string): PurchaseResult =>
  status === 'unknown' ? unknownResult : { status, verified: false, ...(returnUrl && { returnUrl }) }

/** States of a paid order that matches the purchase. */
const fits: readonly unknown[] = ['matched', 'unchecked', 'renewal']

/** The result of a purchase: what the merchant's server says, otherwise `otherwise`, with any order that has not ended. */
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
