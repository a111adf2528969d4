/**
 * A purchase: what the merchant's server created for one shopper. An order is the service's, and a purchase may have several
 * (declined attempts). The server knows whose an order is, at which price it was sold, and where the shopper goes afterwards:
 * the purchase's id travels with the order and comes back with it.
 */
import type { Order, OrderType } from '../client/wire.ts'
import type { Shopper } from './shopper.ts'

/** How the widget is shown: in a frame, a dialog, a window of its own, instead of the page, or by a link or an app (`launch`). */
export type PurchaseSurface = 'iframe' | 'modal' | 'popup' | 'redirect' | 'launch'

/** `self` brings the shopper back to the page's own tab, `new` leaves the return page where it opened (2.2 of the interface). */
export type RedirectPage = 'self' | 'new'

/**
 * - `shopper`: the shop's own page, or the shopper without a page, as with a typed address or a link in a mail program.
 * - `link`: a link elsewhere that was clicked, or a browser that does not say. Another site can have it clicked many times.
 * - `other_site`: a page of another site, and the shopper neither clicked nor pressed a key for it.
 */
export type OpenedBy = 'shopper' | 'link' | 'other_site'

/** Where the purchase's id travels through the service and back: in the order's return addresses, or in its `custom_id`. */
export type Carrier = 'return_url' | 'custom_id'

/** The record that the store keeps. All times are milliseconds since 1970, by the clock of the server that created it. */
export interface Purchase {
  /** 128 random bits as 22 characters of base64url. */
  readonly id: string
  readonly shopper: Shopper
  /** The ids that this shopper had before signing in; the purchase is found by them too. */
  readonly formerly: readonly string[]
  /** What is sold: the widget's parameters but for the shopper's ids, the return addresses and `redirect_page`. */
  readonly params: Readonly<Record<string, string>>
  /** Fields of an order that the shopper may choose in the widget. */
  readonly open: readonly string[]
  /** What the page or link chose of them and of the language, so that the widget can be reopened as it was; no personal details. */
  readonly chosen: Readonly<Record<string, string>>
  /** `page`: without `createPurchase` the page decided what is sold, so that a match would prove nothing. */
  readonly decidedBy: 'server' | 'page'
  /** The merchant's own reference for this sale, such as a basket's id. */
  readonly reference: string | null
  /** Where the shopper goes afterwards: absolute addresses of the merchant's. Null: nowhere. */
  readonly returnUrl: string | null
  readonly failReturnUrl: string | null
  readonly surface: PurchaseSurface
  /** Created by a page before the shopper has asked for it. */
  readonly preload: boolean
  readonly openedBy: OpenedBy
  readonly redirectPage: RedirectPage
  /** Origin of the page that shows the widget; null for links and apps. */
  readonly hostOrigin: string | null
  readonly carrier: Carrier
  /** The widget's language as a BCP 47 tag: as decided, else as the page or link asked; null without either. */
  readonly locale: string | null
  /** The companion's address at the time: the order's return addresses begin with it. */
  readonly url: string
  readonly begunAt: number
  /** An order that comes later does not match. */
  readonly validUntil: number
}

/** An order of a purchase as the store last recorded it. */
export interface RecordedOrder {
  readonly id: string
  readonly type: OrderType
  readonly state: PurchaseState
  /** The order's summary, as JSON of `OrderSummary`: no personal data. */
  readonly summary: string
}

/** A purchase and its outcome. */
export interface PurchaseRecord {
  readonly purchase: Purchase
  /** The complete order that the purchase is settled by; null while there is none. */
  readonly claimedBy: string | null
  /** The product that this order sold; null while there is none, and for a sale without a product. */
  readonly productId: string | null
  /** The service's id of the user who paid this order; null while there is none, and if the service does not name one. */
  readonly payer: string | null
  readonly orders: readonly RecordedOrder[]
  /** When its subscription is checked next (`subscriptionsDue`), in milliseconds since 1970; null: never. */
  readonly checkAt: number | null
  /** Until when a preloaded, unopened purchase is kept; null for any other. */
  readonly preloadedUntil: number | null
}

/**
 * How an order fits the purchase that its id names (docs/server.md says what to do about each).
 *
 * - `matched`: the server decided the sale, the shopper is the record's, what was sold is equal, nothing was added that was not open, in time,
 *   and this order claimed the purchase.
 * - `mismatched`: a field, the shopper or the time differs; `differences` lists them.
 * - `duplicate`: another complete order holds the claim: paid twice.
 * - `renewal`: an order of a subscription that a matched purchase began: same shopper, user of the service, product and amount.
 * - `unchecked`: the page decided what is sold.
 * - `none`: the order has no purchase of ours.
 */
export type PurchaseState = 'matched' | 'mismatched' | 'duplicate' | 'renewal' | 'unchecked' | 'none'

/** A field of the order that differs from the purchase. */
export interface Difference {
  /** A wire name of section 2.2; `time` for an order after `validUntil`. */
  readonly field: string
  readonly expected: string | null
  readonly got: string | null
}

/** The input of the merchant's `createPurchase`. `params` is what a page or link asked for: untrusted. */
export interface PurchaseRequest {
  readonly shopper: Shopper
  readonly params: Readonly<Record<string, string>>
  readonly request: Request
}

/** The decision of the merchant's `createPurchase`. */
export interface PurchaseDecision {
  /** The widget's parameters. The product, and either amount with its currency, are here or in `open`. Undefined values are left out. */
  params: Readonly<Record<string, string | undefined>>
  /** Fields that the page and the shopper may choose. */
  open?: readonly string[]
  /** The merchant's page after a purchase. Absolute, or relative to the companion's `url`. */
  returnUrl?: string
  /**
   * The merchant's page after a decline. If left out: a page that shows the widget in a frame or popup stays; a tab of its own returns to the
   * page where the purchase was created (the `Referer`, of an allowed origin), else to the shop's front page. Never to `returnUrl`.
   */
  failReturnUrl?: string
  /** The merchant's own reference for this sale, such as a basket's id: `onOrder` receives it. At most 200 characters. */
  reference?: string
  /** Whole milliseconds within which the order must arrive. Default and most: 24 hours. */
  validFor?: number
}

/** Decides what is sold. It must have no side effects: preloading calls it, and a purchase may never be paid. */
export type CreatePurchase = (request: PurchaseRequest) => PurchaseDecision | Promise<PurchaseDecision>

/** What `onOrder` receives about an order's purchase. */
export type PurchaseOfOrder = FoundPurchase | NoPurchase

/** An order of a purchase of ours. */
export interface FoundPurchase {
  readonly id: string
  readonly state: Exclude<PurchaseState, 'none'>
  readonly differences: readonly Difference[]
  /** What `createPurchase` decided. */
  readonly params: Readonly<Record<string, string>>
  readonly reference: string | null
  readonly begunAt: Date
}

/** An order without a known purchase of ours. */
export interface NoPurchase {
  readonly id: null
  readonly state: 'none'
  readonly differences: readonly []
  readonly params: Readonly<Record<string, never>>
  readonly reference: null
  readonly begunAt: null
}

export interface OrderEvent {
  /** As the service reports it now. Contains personal data. */
  readonly order: Order
  readonly purchase: PurchaseOfOrder
  readonly complete: Complete
}

/**
 * Records this state of this order as handled inside the merchant's own transaction on the store's database: then it is handled exactly
 * once. False: it was handled before, so do nothing. Throws `InvalidInputError`, and writes nothing, outside a transaction and for a
 * store without transactions.
 */
export interface Complete {
  /** `sqliteStore`: a DatabaseSync of node:sqlite, after `BEGIN`. */
  (connection: { prepare(sql: string): object }): boolean
  /** `postgresStore`: a client of node-postgres after `BEGIN`, or anything else that runs SQL. Await it. */
  (transaction?: unknown): Promise<boolean>
}

/** Called for each state (`type`) of each order. When it throws it is called again later. */
export type OnOrder = (event: OrderEvent) => void | Promise<void>
