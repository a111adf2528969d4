/**
 * The protocol between the widget page and its server, on the widget's own origin, under `/widget/api`.
 *
 * | request | body | answer |
 * |---|---|---|
 * | `POST /checkouts` | `StartCheckout` | 201 `Checkout`, or 401 for an unknown or expired token |
 * | `GET /checkouts/:id` | | `Checkout`: a reload halfway loses nothing |
 * | `POST /checkouts/:id/offer` | `ChooseOffer` | `Checkout` |
 * | `POST /checkouts/:id/pay` | `PayCheckout` | `Checkout` in `identity`, `declined` or `complete` |
 * | `POST /checkouts/:id/identity` | `ProveIdentity` | `Checkout`, after full KYC; the payment continues automatically |
 * | `POST /checkouts/:id/cancel-subscription` | | `Checkout` |
 *
 * A refusal is `{ error: true, message, field? }`.
 */

export interface StartCheckout {
  accessToken: string
  /** The page's query parameters except the token: fields of section 2.2 of the interface (U10). */
  params: Record<string, string>
}

export interface ChooseOffer {
  product_id: string
}

export interface PayCheckout {
  email: string
  card_number: string
  /** `MM/YY`. */
  expiry_date: string
  security_code: string
}

export interface ProveIdentity {
  document: 'passport' | 'id_card' | 'driving_licence'
  /** Whether the person allowed the camera (simulated). */
  camera: boolean
}

/** Payment interval of a subscription. */
export type Interval = 'daily' | 'monthly' | 'yearly'

/** An offer on sale. Amounts are decimal strings. */
export type Offer =
  | {
      kind: 'digital_good'
      product_id: string
      name: string
      description: string
      quote: string
      quote_amount: string
    }
  | {
      kind: 'subscription'
      product_id: string
      name: string
      description: string
      quote: string
      quote_amount: string
      interval_time: Interval
    }
  | {
      kind: 'crypto'
      product_id: string
      name: string
      description: string
      quote: string
      quote_amount: string
      base: string
      base_amount: string
      address: string
    }

/** The codes of failed transactions, and their messages for the shopper: section 7 of the interface. */
export const declines = {
  '4000': {
    reason: 'The card could not be charged and the order was not completed.',
    action: 'Please try again.',
  },
  '4001': { reason: 'Incorrect CVV/CVC.', action: 'Please enter the security code again.' },
  '4002': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4003': { reason: 'Incorrect card details.', action: 'Please enter valid card details.' },
  '4004': {
    reason: 'Insufficient balance on the card.',
    action: 'Please add funds to the card and try again.',
  },
  '4005': { reason: 'Card limit exceeded.', action: 'Please use a different card.' },
  '4010': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4011': { reason: 'Card validation failed.', action: 'Please provide a valid card.' },
  '4012': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4013': {
    reason: 'The card could not be charged and the order was not completed.',
    action: 'Please contact support.',
  },
}

export type DeclineCode = keyof typeof declines

/** One shopper's visit to the widget page. */
export interface Checkout {
  id: string
  /** Everything on sale; the first is selected initially. */
  offers: Offer[]
  offer: Offer
  email: string | null
  /** An e-mail address for trying it out, which no other shopper of the merchant has, so that limits and identity are not shared. */
  exampleEmail: string
  /**
   * - `pay`: the form waits for e-mail and card.
   * - `identity`: a low-KYC limit would be exceeded; full KYC comes first.
   * - `declined`: the order failed; the form waits for a retry, which creates a new order.
   * - `complete`: the order is complete.
   */
  step: 'pay' | 'identity' | 'declined' | 'complete'
  /** `decline` when the payment was declined. */
  order: { id: string; type: string; decline: DeclineCode | null } | null
  /** The remainder of the shopper's limit for this kind of offer, once the shopper is known. */
  remaining: string | null
  /** The redirect once this order is final, as `redirect_page` specifies; null when the merchant specified no address. */
  redirect: { url: string; target: '_self' | '_blank' } | null
  /** The subscription that this purchase created. */
  subscription: { status: 'active' | 'canceled'; next_paid_date: string } | null
  /** A sandbox switch: post `{ source: 'purchase-widget', type, … }` to parent and opener (messages.ts). */
  postsMessages: boolean
}
