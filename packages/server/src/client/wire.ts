/** The service's own terms, in its spelling (sections 2 and 4 of the interface). Each answer also keeps its `raw` record. */

/** How long an access token lives, in days (section 2.1). */
export type ExpirationDays = '7' | '30' | '180' | '365' | 'infinite'

/** The state of an order. The service names three and says "etc.": any other value passes through (U14). */
export type OrderType = 'payment_started' | 'order_complete' | 'order_failed' | (string & {})

export interface AccessToken {
  accessToken: string
}

export interface AccessTokenExpiry {
  /** Null: the token never expires. */
  expiresAt: Date | null
}

/** The string fields of an order (section 2.2). */
export const orderFields = [
  'id',
  'custom_id',
  'user_id',
  'product_id',
  'type',
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

/** A record of the order history: its shape is not specified, so every field is optional (U3). Contains personal data. */
export type OrderRecord = { [Field in (typeof orderFields)[number]]?: string } & {
  type?: OrderType
  partner_data?: Record<string, unknown>
  /** The record as the service sent it. */
  raw: Record<string, unknown>
}

/** An order as the transaction detail operation returns it (section 2.2). Contains personal data. */
export type Order = OrderRecord & { id: string; type: OrderType }

/** A subscription (section 2.3). A date that cannot be read is left out and stays in `raw` (U5). */
export interface Subscription {
  user_id?: string
  custom_id?: string
  business_user_id?: string
  product_id?: string
  start_date?: Date
  last_paid_date?: Date
  next_paid_date?: Date
  expire_date?: Date
  /** The meaning of each number is not specified (U14). */
  status?: number
  /** True when the last payment attempt failed. */
  failed_to_paid?: boolean
  /** True when the subscription renews automatically. */
  next_paid?: boolean
  interval_time?: string
  raw: Record<string, unknown>
}

export interface CreatedUser {
  id: string
  /** 26 characters. */
  user_id: string
}

/** What a user may still spend and has spent (section 2.5). Decimal strings. */
export interface Limits {
  crypto_remaining?: string
  crypto_spending?: string
  digital_goods_remaining?: string
  digital_goods_spending?: string
}

export interface Card {
  brand?: string
  /** Partly masked. */
  card_id?: string
  created_at?: string
  last_digits?: string
}

export interface PaymentMethod {
  method: string
  cards: Card[]
}

/** A widget user (section 2.4). The phone is partly masked by the service. */
export interface User {
  user_id: string
  /** Alpha-3 code. */
  country?: string
  created_at?: string
  /** Full-KYC status; the set of values is open (U14). */
  fkyc_status?: 'not initiated' | (string & {})
  /** Light-KYC status; the set of values is open (U14). */
  lkyc_status?: 'success' | (string & {})
  limits: Limits
  linked_payment_methods: PaymentMethod[]
  phone?: string
  /** Alpha-2 code. */
  phone_country?: string
  raw: Record<string, unknown>
}

/** Identifiers, at least one of them given. */
type AtLeastOne<Field extends string> = {
  [Given in Field]: Record<Given, string> & { [Other in Exclude<Field, Given>]?: string | undefined }
}[Field]

/** Asking for every order is `orders.listAll`. */
export type OrderFilter = AtLeastOne<'order_id' | 'custom_id'>

/** Section 4.5. */
export type TransactionQuery = AtLeastOne<'order_id' | 'custom_id' | 'hash'>

/** Section 4.4. */
export type SubscriptionQuery = AtLeastOne<'product_id' | 'custom_id' | 'user_id'>

/** Exactly one of the two (section 4.7). */
export type UserQuery = { user_id: string; email?: undefined } | { user_id?: undefined; email: string }

/** All required (section 4.6). */
export interface NewUser {
  /** A leading plus and digits, e.g. `+14155550123`. */
  phone: string
  first_name: string
  last_name: string
  /** `YYYY-MM-DD`. */
  date_of_birth: string
  /** Alpha-3 code, e.g. `USA`. */
  country_of_residence: string
  email: string
  /** Alpha-2 code of a US state, e.g. `CA`. */
  state_of_residence: string
}
