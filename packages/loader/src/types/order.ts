/** What is said of an order between the page and the merchant's server. */

/**
 * The state of an order. The service names three and says "etc.", so any other value passes through (U14).
 */
export type OrderType = 'payment_started' | 'order_complete' | 'order_failed' | (string & {})

/** Why a card payment was declined, and what the shopper should do (section 7 of the interface). */
export interface Decline {
  code: string
  reason: string
  action: string
}

/** What the merchant's server says about an order. Holds no personal data. Wire names are the service's (section 2.2). */
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

/** What your server is asked about, where there is no companion. */
export interface ConfirmHint {
  /** The loader's id of this opening: it is in the return addresses, as `purchase`, that the order keeps. */
  purchaseId: string
  /** Where the shopper returned to; nothing when the loader only looks. Never proof of anything. */
  returnUrl?: string
}

/** Asks the merchant's server what became of a purchase. Resolves to null while the server knows no order of it. */
export type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>
