/** The fields of an order that a shopper's browser may see: no personal data. */
import { type Decline, declineOf } from '../client/declines.ts'
import { isSafe } from '../client/settings.ts'
import type { OrderRecord, OrderType } from '../client/wire.ts'
import type { Spoken } from '../language.ts'

const summaryFields = [
  'custom_id',
  'product_id',
  'base',
  'base_amount',
  'quote',
  'quote_amount',
  'redirect_page',
] as const

/** Wire names are the service's (section 2.2). */
export interface OrderSummary extends Partial<Record<(typeof summaryFields)[number], string>> {
  id: string
  type: OrderType
  /** Null unless the order failed with a code of section 7. */
  decline: Decline | null
  /** Left out unless it is https, or http on loopback, and the merchant's own. */
  redirect_url?: string
  fail_redirect_url?: string
}

/**
 * @param allowsReturnTo whether an address is the merchant's own. An order's addresses came through a browser, and a page
 * may follow those in its summary.
 */
export function summarise(
  order: OrderRecord & { id: string; type: OrderType },
  allowsReturnTo: (address: string) => boolean,
): OrderSummary {
  // An order that was paid at another attempt (U25) may keep the reason of the first.
  const decline = order.type === 'order_complete' ? null : declineOf(order)
  const summary: OrderSummary = { id: order.id, type: order.type, decline }
  for (const field of summaryFields) {
    const value = order[field]
    if (value !== undefined) summary[field] = value
  }
  for (const field of ['redirect_url', 'fail_redirect_url'] as const) {
    const address = order[field] ?? ''
    const url = URL.parse(address)
    if (url && isSafe(url) && allowsReturnTo(address)) summary[field] = address
  }
  return summary
}

/** The same, with the action after a decline in the shopper's language. */
export function inWords(summary: OrderSummary, { declineActions }: Spoken): OrderSummary {
  const { decline } = summary
  const action = decline && declineActions[decline.code]
  return action ? { ...summary, decline: { ...decline, action } } : summary
}
