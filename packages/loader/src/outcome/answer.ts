/** What the merchant's server says of a purchase: the companion's `GET /purchases/:id`, or what `confirm` resolves to. */
import type { OrderSummary } from '../types.ts'

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
