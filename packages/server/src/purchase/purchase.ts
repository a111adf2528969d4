/**
 * A purchase: what the merchant's server began for one shopper. An order is the service's, and a purchase may have several
 * (declined tries). Which order is whose, at which price it was sold, and where the shopper goes afterwards is known here, on the
 * server: the purchase's id travels with the order and comes back with it.
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

/** What carries the purchase's id through the service, and back: the order's return addresses, or its `custom_id`. */
export type Carrier = 'return_url' | 'custom_id'

/** The row that the store keeps. All times are milliseconds since 1970, by the clock of the server that began it. */
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
  /** What the page or link chose of them and of the language, so that the widget is opened again as it was; nothing of a person. */
  readonly chosen: Readonly<Record<string, string>>
  /** `page`: without `createPurchase` the page said what is sold, so that a match would prove nothing. */
  readonly decidedBy: 'server' | 'page'
  /** The merchant's own word for this sale, such as a basket's id. */
  readonly reference: string | null
  /** Where the shopper goes afterwards: absolute addresses of the merchant's. Null: nowhere. */
  readonly returnUrl: string | null
  readonly failReturnUrl: string | null
  readonly surface: PurchaseSurface
  /** Begun by a page before anybody has asked for it. */
  readonly preload: boolean
  readonly openedBy: OpenedBy
  readonly redirectPage: RedirectPage
  /** Origin of the page that shows the widget; null for links and apps. */
  readonly hostOrigin: string | null
  readonly carrier: Carrier
  /** The widget's language as a BCP 47 tag: what was decided, else what the page or link asked for; null without either. */
  readonly locale: string | null
  /** The companion's address when this began: the order's return addresses begin with it. */
  readonly url: string
  readonly begunAt: number
  /** An order that comes later does not match. */
  readonly validUntil: number
}

/** What the store has learnt of an order of a purchase, last time anybody looked. */
export interface RecordedOrder {
  readonly id: string
  readonly type: OrderType
  readonly state: PurchaseState
  /** The order's summary, as JSON of `OrderSummary`: no personal data. */
  readonly summary: string
}

/** A purchase with what became of it. */
export interface PurchaseRecord {
  readonly purchase: Purchase
  /** The complete order that the purchase is settled by; null while there is none. */
  readonly claimedBy: string | null
  readonly orders: readonly RecordedOrder[]
  /** Until when a preloaded purchase is kept, which nobody has opened yet; null for any other. */
  readonly preloadedUntil: number | null
}

/**
 * How an order fits the purchase that its id names (docs/server.md has what to do about each).
 *
 * - `matched`: the server decided it, the shopper is the row's, what was sold is equal, nothing was added that was not open, in time,
 *   and this order claimed the row.
 * - `mismatched`: a field, the shopper or the time differs; `differences` says which.
 * - `duplicate`: another complete order holds the claim: paid twice.
 * - `renewal`: an order of a subscription that a matched purchase began: same shopper, user of the service, product and amount.
 * - `unchecked`: the page decided what is sold.
 * - `none`: no purchase of ours is on it.
 */
export type PurchaseState = 'matched' | 'mismatched' | 'duplicate' | 'renewal' | 'unchecked' | 'none'

/** A field of the order that is not what was begun. */
export interface Difference {
  /** A wire name of section 2.2; `time` for an order after `validUntil`. */
  readonly field: string
  readonly expected: string | null
  readonly got: string | null
}

/** What the merchant's `createPurchase` is told. `params` is what a page or link asked for: untrusted. */
export interface PurchaseRequest {
  readonly shopper: Shopper
  readonly params: Readonly<Record<string, string>>
  readonly request: Request
}

/** What the merchant's `createPurchase` decides. */
export interface PurchaseDecision {
  /** The widget's parameters. The product, and either amount with its currency, are here or in `open`. Undefined values are left out. */
  params: Readonly<Record<string, string | undefined>>
  /** Fields that the page and the shopper may choose. */
  open?: readonly string[]
  /** The merchant's page where a purchase ends. Absolute, or relative to the companion's `url`. */
  returnUrl?: string
  /**
   * The merchant's page after a decline. Left out: a page that shows the widget in a frame or popup stays; a tab of its own goes back to the
   * page where the purchase was begun (the `Referer`, of an allowed origin), else to the shop's front page. Never to `returnUrl`.
   */
  failReturnUrl?: string
  /** The merchant's own word for this sale, such as a basket's id: `onOrder` gets it back. At most 200 characters. */
  reference?: string
  /** Whole milliseconds in which the order must come. Default and most: 24 hours. */
  validFor?: number
}

/** Says what is sold. It has no side effects: preloading calls it, and a purchase that was begun may never be paid. */
export type CreatePurchase = (request: PurchaseRequest) => PurchaseDecision | Promise<PurchaseDecision>

/** What `onOrder` is told about an order's purchase. */
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

/** An order of which no purchase of ours is known. */
export interface NoPurchase {
  readonly id: null
  readonly state: 'none'
  readonly differences: readonly []
  readonly params: Readonly<Record<string, never>>
  readonly reference: null
  readonly begunAt: null
}

export interface OrderEvent {
  /** As the service says it is now. It has personal data. */
  readonly order: Order
  readonly purchase: PurchaseOfOrder
  readonly complete: Complete
}

/**
 * Records this state of this order as handled inside the merchant's own transaction on the store's database: then it is handled exactly
 * once. False: it was handled before, so do nothing. Throws `InvalidInputError`, and writes nothing, outside of a transaction and for a
 * store that has none.
 */
export interface Complete {
  /** `sqliteStore`: a DatabaseSync of node:sqlite, or a Database of better-sqlite3, after `BEGIN`. */
  (connection: { prepare(sql: string): object }): boolean
  /** `postgresStore`: a client of node-postgres after `BEGIN`, or anything else that runs SQL. Wait for it. */
  (transaction?: unknown): Promise<boolean>
}

/** Called for each state (`type`) of each order. When it throws it is called again later. */
export type OnOrder = (event: OrderEvent) => void | Promise<void>
