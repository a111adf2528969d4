/** Where the shopper is redirected after a purchase (section 2.2; U12 and U19 of docs/assumptions.md). */
import { invalid } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import type { OrderRow, WidgetParams } from '../state/rows.ts'

export interface Redirect {
  url: string
  target: '_self' | '_blank'
}

/**
 * `order_complete` goes to `redirect_url`, `order_failed` to `fail_redirect_url`; `redirect_page` says where it opens.
 * Null while the order is neither, or when the merchant specified no address.
 */
export function redirectOf(switches: Switches, order: OrderRow): Redirect | null {
  if (switches.redirectTarget === 'none') return null
  const address = addressOf(order)
  if (!address) return null
  const asOrdered = order.redirect_page || switches.missingRedirectPage
  const page = switches.redirectTarget === 'byOrder' ? asOrdered : switches.redirectTarget
  return { url: withQuery(address, switches, order), target: page === 'new' ? '_blank' : '_self' }
}

function addressOf(order: OrderRow): string {
  switch (order.type) {
    case 'order_complete':
      return order.redirect_url
    case 'order_failed':
      return order.fail_redirect_url
    case 'payment_started':
      return ''
  }
}

function withQuery(address: string, switches: Switches, order: OrderRow): string {
  switch (switches.returnQuery) {
    case 'none':
      return address
    case 'order':
      return withIds(address, order)
    case 'malformed':
      return `${address}${address.includes('?') ? '&' : '?'}order_id=%E0%A4%A&%%&=&custom_id`
  }
}

/** The address with the order's ids in its query. */
export function withIds(address: string, order: OrderRow): string {
  const url = new URL(address)
  url.searchParams.set('order_id', order.id)
  if (order.custom_id) url.searchParams.set('custom_id', order.custom_id)
  url.searchParams.set('type', order.type)
  if (order.decline_code) url.searchParams.set('fail_reason', order.decline_code)
  return url.href
}

/**
 * Refuses every return address except http, https, and app schemes that are a reversed domain name, as in
 * `com.example.shop:/return` (RFC 8252, 7.1).
 */
export function checkReturnAddresses(params: WidgetParams): void {
  for (const field of ['redirect_url', 'fail_redirect_url'] as const) {
    const address = params[field]
    if (!address) continue
    const url = URL.parse(address)
    if (!url || !/^(https?|[a-z][a-z0-9-]*(\.[a-z0-9-]+)+):$/.test(url.protocol))
      throw invalid(field, 'must be an http, https or reverse-domain app address')
    if (url.username || url.password) throw invalid(field, 'must not hold credentials')
  }
  const page = params.redirect_page
  if (page && page !== 'new' && page !== 'self') throw invalid('redirect_page', 'must be new or self')
}
