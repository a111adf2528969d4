/** What a shopper's browser may know of an order: no personal data. */
import { type Decline, declineOf } from '../declines.ts'
import type { OrderRecord, OrderType } from '../wire.ts'

/** Wire names are the service's (section 2.2). */
export interface OrderSummary {
  id: string
  type: OrderType
  custom_id?: string
  product_id?: string
  base?: string
  base_amount?: string
  quote?: string
  quote_amount?: string
  /** Null unless the order failed with a code of section 7. */
  decline: Decline | null
  redirect_url?: string
  fail_redirect_url?: string
  redirect_page?: string
}

const summaryFields = [
  'custom_id',
  'product_id',
  'base',
  'base_amount',
  'quote',
  'quote_amount',
  'redirect_url',
  'fail_redirect_url',
  'redirect_page',
] as const

export function summarise(order: OrderRecord & { id: string; type: OrderType }): OrderSummary {
  const summary: OrderSummary = { id: order.id, type: order.type, decline: declineOf(order) }
  for (const field of summaryFields) {
    const value = order[field]
    if (value !== undefined) summary[field] = value
  }
  return summary
}
