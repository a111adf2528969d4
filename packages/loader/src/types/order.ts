/** What the page and the merchant's server exchange about an order. */

/**
 * The state of an order. The service lists three and says "etc.", so any other value passes through (U14).
 */
export type OrderType = 'payment_started' | 'order_complete' | 'order_failed' | (string & {})

/** Why a card payment was declined, and what the shopper should do (section 7 of the interface). */
export interface Decline {
  code: string
  reason: string
  action: string
}

/** The order as the merchant's server reports it. Contains no personal data. Field names are the service's (section 2.2). */
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

/** What identifies the purchase when the page asks your server, without a companion. */
export interface ConfirmHint {
  /** The loader's id of this opening. The return addresses that the order stores contain it as `purchase`. */
  purchaseId: string
  /** Where the shopper returned to; absent when the loader only polls. Never proof of anything. */
  returnUrl?: string
}

/** Asks the merchant's server for the result of a purchase. Resolves to null while the server has no order for it. */
export type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>
