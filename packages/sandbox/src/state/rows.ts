/** Row types of the database tables (migrations.ts), as the rest of the sandbox uses them. */
import type { Checkout, DeclineCode, Interval } from '../widget/protocol.ts'

/** Each purchase counts against one of two limits. */
export type LimitKind = 'crypto' | 'digital_goods'

/** The query parameters of the widget page, except the token. */
export type WidgetParams = Readonly<Record<string, string>>

export interface TokenRow {
  token: string
  created_at: number
  /** Null when it never expires. */
  expires_at: number | null
  /** 1 when a newer token has replaced it (U8). */
  replaced: 0 | 1
}

export interface UserRow {
  user_id: string
  id: string
  email: string
  phone: string
  phone_country: string
  first_name: string
  last_name: string
  date_of_birth: string
  country: string
  state: string
  created_at: number
  lkyc_status: string
  fkyc_status: string
  crypto_spending: string
  digital_goods_spending: string
}

export interface CardRow {
  card_id: string
  user_id: string
  brand: string
  last_digits: string
  renewal_decline: DeclineCode | null
  created_at: number
}

/** The stored data of a card, without its number and security code. */
export interface Card {
  brand: string
  last_digits: string
  /** Null when the card can be charged. */
  decline: DeclineCode | null
  /** Null when a subscription can renew with it. */
  renewalDecline: DeclineCode | null
}

/** The three states of section 3; the last two are final. */
type OrderType = 'payment_started' | 'order_complete' | 'order_failed'

/** The text fields of section 2.2; an empty string is a field without a value. */
export const orderTexts = [
  'custom_id',
  'user_id',
  'product_id',
  'base',
  'base_amount',
  'quote',
  'quote_amount',
  'address',
  'transaction_id',
  'full_name',
  'date_of_birth',
  'phone',
  'email',
  'state',
  'country',
  'city',
  'street',
  'postal_code',
  'utm_source',
  'clickID',
  'campaignID',
  'fail_reason',
  'redirect_url',
  'fail_redirect_url',
  'redirect_page',
  'hash',
] as const

export interface OrderRow extends Record<(typeof orderTexts)[number], string> {
  id: string
  type: OrderType
  /** JSON. */
  partner_data: string
  /** When the payment was declined. */
  decline_code: DeclineCode | null
  kind: LimitKind
  /** The access token it was bought with; a renewal has that of the first order. */
  token: string | null
  card_id: string | null
  created_at: number
}

/** The numbers are ours (U14). */
export const subscriptionStatus = { active: 1, canceled: 2, expired: 3 } as const
export type SubscriptionStatus = (typeof subscriptionStatus)[keyof typeof subscriptionStatus]

export interface SubscriptionRow {
  id: string
  /** The purchase that created it; a renewal copies the fields of this order. */
  order_id: string
  user_id: string
  custom_id: string
  product_id: string
  card_id: string
  interval_time: Interval
  status: SubscriptionStatus
  start_date: number
  last_paid_date: number
  next_paid_date: number
  expire_date: number
  periods_paid: number
  failed_attempts: number
  failed_to_paid: 0 | 1
  next_paid: 0 | 1
  /** Time of its next event, a charge or its end. Null when it has ended. */
  due_at: number | null
}

export interface CheckoutVisit {
  id: string
  token: string
  params: WidgetParams
  product_id: string
  email: string | null
  step: Checkout['step']
  /** The card that is charged after full KYC. */
  card: Card | null
  order_id: string | null
}

export interface TargetRow {
  id: string
  url: string
}

export interface DeliveryRow {
  id: string
  event: string
  order_id: string
  url: string
  /** JSON. */
  payload: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  created_at: number
  /** The target's last response status, or the reason for its absence; empty before the first attempt. */
  answer: string
  /** The beginning of that response's body. */
  response: string
  tried_at: number | null
}
