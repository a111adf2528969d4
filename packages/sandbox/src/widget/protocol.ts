/**
 * What the widget page and its server say to each other, on the widget's own origin, under `/widget/api`.
 *
 * | request | body | answer |
 * |---|---|---|
 * | `POST /checkouts` | `StartCheckout` | 201 `Checkout`, or 401 for an unknown or expired token |
 * | `GET /checkouts/:id` | | `Checkout`: a reload in the middle loses nothing |
 * | `POST /checkouts/:id/offer` | `ChooseOffer` | `Checkout` |
 * | `POST /checkouts/:id/pay` | `PayCheckout` | `Checkout` in `identity`, `declined` or `complete` |
 * | `POST /checkouts/:id/identity` | `ProveIdentity` | `Checkout`, after full KYC; the payment goes on by itself |
 * | `POST /checkouts/:id/cancel-subscription` | | `Checkout` |
 *
 * A refusal is `{ error: true, message, field? }`.
 */

export interface StartCheckout {
  accessToken: string
  /** The page's query parameters but for the token: fields of section 2.2 of the interface (U10). */
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
  /** Whether the person let the page use the camera (simulated). */
  camera: boolean
}

/** Something that can be bought. Amounts are decimal strings. */
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
      interval_time: string
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

export interface CheckoutOrder {
  id: string
  type: string
  /** What the interface's table of codes (section 7) says, when the payment was declined. */
  decline: { code: string; reason: string; action: string } | null
}

/** One shopper's visit to the widget page. */
export interface Checkout {
  id: string
  /** Everything on sale; the first is chosen until another is. */
  offers: Offer[]
  offer: Offer
  email: string | null
  /** For who only tries it: an e-mail address that no other shopper of the merchant has, so that limits and identity are not shared. */
  exampleEmail: string
  /**
   * - `pay`: the form waits for e-mail and card.
   * - `identity`: a low-KYC limit would be passed; full KYC first.
   * - `declined`: the order failed; the form waits for another try, which makes a new order.
   * - `complete`: the order is complete.
   */
  step: 'pay' | 'identity' | 'declined' | 'complete'
  order: CheckoutOrder | null
  /** What is left of the shopper's limit for this kind of offer, once the shopper is known. */
  remaining: string | null
  /** Where to go when this order has ended, by `redirect_page`; null when the merchant gave no address. */
  redirect: { url: string; target: '_self' | '_blank' } | null
  /** The subscription that this purchase made. */
  subscription: { status: 'active' | 'canceled'; next_paid_date: string; interval_time: string } | null
  /** A sandbox switch: post `{ source: 'purchase-widget', type, … }` to parent and opener (messages.ts). */
  postsMessages: boolean
}
