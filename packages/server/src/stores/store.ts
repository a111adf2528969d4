/**
 * The companion's storage. One store serves purchases, fulfilment, lease and locks. Any function may reject when the
 * store is unavailable: callers continue without it as far as that is safe.
 *
 * For a store of your own, implement `Store` and run `storeConformance` of `@purchase-widget/server/testing` against it.
 */
import type { Purchase, PurchaseRecord, RecordedOrder } from '../purchase/purchase.ts'

export interface StoredValue {
  value: string
  /** Remaining milliseconds: a duration, so that the clocks of instances need not agree. Null: never expires. */
  ttlMs: number | null
}

/** Timeout of one call to a store's database, in milliseconds. A call that takes longer rejects, and the caller treats the store as unavailable. */
export const ANSWER_MS = 5_000

/** Short-lived state that instances share: the lease, locks and refusals. */
export interface SharedState {
  get(key: string): Promise<StoredValue | null>
  /** `ttlMs: null` keeps the value until it is replaced. */
  set(key: string, value: string, ttlMs: number | null): Promise<void>
  /** Runs `task` while no other holder of the same lock runs. */
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>
  /** The same, but returns null without running `task` if the lock has a holder. */
  tryLock<T>(key: string, task: () => Promise<T>): Promise<T | null>
}

/** Purchase records. */
export interface PurchaseRows {
  /**
   * Adds a purchase record; an existing one with this id stays unchanged. A shopper keeps at most `PURCHASES_PER_SHOPPER` records without a
   * complete order that links created (`kindOf`), and as many that pages created: the same write evicts the oldest one without any order, else
   * the oldest. Links that other sites opened are counted separately: of those without any order a shopper keeps the newest
   * `PURCHASES_BY_OTHER_SITES`; those with an order count as any other link's. So no other site can evict what the shopper has opened, or paid.
   * A preloaded record is kept for `KEEP_PRELOADED_MS` and evicts no other kind: of these a shopper keeps the newest `PRELOADED_PER_SHOPPER`. A
   * page may preload the same product for several links, and any of them may be clicked.
   */
  begin(purchase: Purchase): Promise<void>
  /** Records that the shopper has opened a preloaded purchase: from now on it is kept and counted like any other. */
  open(purchase: Purchase): Promise<void>
  /** Null for an unknown or expired id. */
  find(id: string): Promise<PurchaseRecord | null>
  /**
   * Settles the purchase by a complete order, unless another order has: one atomic write, also across instances.
   *
   * @returns the order that holds the claim; null for an unknown purchase.
   */
  claim(id: string, orderId: string, sold?: Sold): Promise<string | null>
  /**
   * Records the present state of an order of this purchase, in place of the earlier one. A complete order stays complete: any other
   * state was read earlier. At most `ORDERS_PER_PURCHASE`: the order that was recorded first is evicted, but not the one that holds
   * the claim. The purchase is then kept for at least `KEEP_UNSETTLED_MS` from now.
   */
  record(id: string, order: RecordedOrder): Promise<void>
  /**
   * Settled purchases of a shopper (by `customId`, else `userId`) of a product: first the one that this order has renewed, then those that are
   * checked next, so that one that was renewed comes after the others, then the newest. At most `SETTLED_FOR_SHOPPER`.
   */
  settledFor(shopper: string, productId: string, orderId: string): Promise<PurchaseRecord[]>
  /** Opened purchases of a shopper (by `customId`, else `userId`), newest first. At most `LISTED_FOR_SHOPPER`. */
  ofShopper(shopper: string): Promise<PurchaseRecord[]>
  /**
   * Opened purchases that no complete order has settled, created at `from` or later and before `to`; newest first. `after`: the last
   * purchase of the previous page; it need not exist any more.
   */
  unsettled(span: UnsettledSpan): Promise<PurchaseRecord[]>
  /**
   * Assigns one of the charges of a settled purchase's subscription to this order, unless all are assigned: one atomic write, also
   * across instances. The purchase is then kept for `KEEP_SETTLED_MS` from now. For an order that has one already, nothing changes.
   *
   * @param charges how often the service has charged the subscription after its first order.
   * @param checkAt when to check the subscription next, if the order gets a charge; without it: never.
   * @returns whether the order has a charge, now or from an earlier call.
   */
  renew(id: string, orderId: string, charges: number, checkAt?: number | null): Promise<boolean>
  /** Settled purchases whose subscription is to be checked at `at` or earlier, the longest due first. */
  subscriptionsDue(at: number, limit: number): Promise<PurchaseRecord[]>
  /** Sets when to check the subscription of a purchase next, unless that is no longer `dueAt`; null: never. One atomic write. */
  checkSubscriptionAt(id: string, checkAt: number | null, dueAt: number | null): Promise<void>
}

/** What is known of the sale when an order settles a purchase. */
export interface Sold {
  /** The product that was sold: `settledFor` finds the purchase by it. The order that holds the claim may name another later. */
  productId?: string | null | undefined
  /** The service's id of the user who paid. The order that holds the claim may name another later; if it names none, the present one stays. */
  payer?: string | null | undefined
  /** When to check for a subscription (`subscriptionsDue`), in milliseconds since 1970; without it: never. */
  checkAt?: number | null | undefined
}

/** The key by which a shopper's purchase records are found. */
export const shopperKey = ({ customId, userId }: Purchase['shopper']): string => customId ?? userId ?? ''

/** How purchase records without a complete order are counted: by a page of the shop, a link on any page, or another site without a click. */
export type PurchaseKind = 'page' | 'link' | 'other_site'

export const kindOf = ({ surface, openedBy }: Pick<Purchase, 'surface' | 'openedBy'>): PurchaseKind =>
  surface !== 'launch' || openedBy === 'shopper' ? 'page' : openedBy

/** Until when a new purchase record is kept if it gets no order, and until when it counts as preloaded. */
export function firstLife({ preload, begunAt, validUntil }: Purchase): {
  keptUntil: number
  preloadedUntil: number | null
} {
  const preloadedUntil = preload ? begunAt + KEEP_PRELOADED_MS : null
  return { keptUntil: preloadedUntil ?? validUntil + KEEP_UNTRIED_MS, preloadedUntil }
}

export interface UnsettledSpan {
  from: number
  to: number
  limit: number
  after?: Pick<Purchase, 'id' | 'begunAt'>
}

/** Most purchase records without a complete order per shopper: this many created by links, and this many others. */
export const PURCHASES_PER_SHOPPER = 50
/** Most purchase records without any order per shopper from links that other sites opened. */
export const PURCHASES_BY_OTHER_SITES = 10
/** About as many as the default rate limit lets a shopper create within `KEEP_PRELOADED_MS`: a page may show any of their frames. */
export const PRELOADED_PER_SHOPPER = 600
export const MAX_OF_KIND: Record<PurchaseKind | 'preloaded', number> = {
  preloaded: PRELOADED_PER_SHOPPER,
  page: PURCHASES_PER_SHOPPER,
  link: PURCHASES_PER_SHOPPER,
  other_site: PURCHASES_BY_OTHER_SITES,
}
/** How long a preloaded purchase record is kept while it is unopened and has no order. */
export const KEEP_PRELOADED_MS: number = 600_000
export const ORDERS_PER_PURCHASE = 50
export const SETTLED_FOR_SHOPPER = 20
/** More than a shopper's unsettled records, so that the list includes settled ones. */
export const LISTED_FOR_SHOPPER = 150
/**
 * How long a purchase record without any recorded order is kept past its `validUntil`: anyone can create such records. A shop whose server
 * was down for a weekend still finds what was paid.
 */
export const KEEP_UNTRIED_MS: number = 2 * 86_400_000
/** How long a purchase record is kept at least after an order was recorded for it: late webhooks still find it. */
export const KEEP_UNSETTLED_MS: number = 7 * 86_400_000
/** How long a settled purchase record is kept after its claim: longer than a year, so that yearly subscriptions find it. */
export const KEEP_SETTLED_MS: number = 400 * 86_400_000

/** Unauthenticated callers have a queue of their own: whatever they add, jobs of the trusted queue are neither delayed nor changed. */
export type QueueName = 'trusted' | 'unauthenticated'

/** An order, or a shopper's orders, to be checked: `key` is JSON of an `OrderHint`. A queue holds each key once. */
export interface Job {
  readonly key: string
  readonly queue: QueueName
  /**
   * 1 the first time, and one more after each `retry`. Claims of killed processes do not count. A store may count from 1 again when the
   * job is added again.
   */
  readonly attempt: number
  /** Distinguishes this claim from any later one, and from a job that was added again meanwhile. */
  readonly receipt: string
}

export interface DeadLetter {
  readonly key: string
  /** Name and message of the last failure; no values. */
  readonly reason: string
  readonly attempts: number
  readonly diedAt: number
}

/** Jobs. Each stays until it is completed, even if the process that claimed it is killed. */
export interface Jobs {
  /**
   * Adds a job, due at once; an existing job becomes due at once. The unauthenticated queue has at most `UNAUTHENTICATED_JOBS` jobs, and
   * slightly more where instances add jobs at the same moment.
   *
   * @returns false when that queue is full.
   */
  add(key: string, queue: QueueName): Promise<boolean>
  /**
   * Claims up to `limit` due jobs of a queue, longest waiting first. Each becomes due again after `holdMs`, or a few seconds later, unless
   * it was completed, retried or buried.
   */
  claim(queue: QueueName, limit: number, holdMs: number): Promise<Job[]>
  /** Makes the job due again in `ms`, without counting an attempt. No effect on a job that was completed, claimed or added again since. */
  hold(job: Job, ms: number): Promise<void>
  /** Removes the job, unless it was added again since it was claimed. */
  complete(job: Job): Promise<void>
  /** Makes the job due again after `delayMs`, unless it was added again since it was claimed. */
  retry(job: Job, delayMs: number): Promise<void>
  /**
   * Adds a dead letter, in place of an earlier one of the key, and removes the job, unless it was added again or claimed by another worker since:
   * the job then stays as well, and whatever becomes of it, the dead letter stays. At most `DEAD_LETTERS` are kept: the oldest are evicted.
   */
  bury(job: Job, reason: string): Promise<void>
  /** Newest first. */
  deadLetters(limit: number): Promise<DeadLetter[]>
  /** Moves dead letters to the trusted queue, with attempts counted from zero: one by its key, or all. Returns their number. */
  redrive(key?: string): Promise<number>
}

export const UNAUTHENTICATED_JOBS = 1_000
export const DEAD_LETTERS = 10_000

/** One state of one order that `onOrder` has handled. */
export interface IdempotencyRecord {
  readonly orderId: string
  readonly type: string
  /** The purchase that the order belongs to; null when it belongs to none. */
  readonly purchaseId: string | null
}

/** The order states that `onOrder` has handled. */
export interface Handled {
  has(orderId: string, type: string): Promise<boolean>
  /** False when it already existed. One atomic write. */
  add(record: IdempotencyRecord): Promise<boolean>
  /** The same inside the merchant's transaction; undefined in a store without transactions. */
  addWithin?: (transaction: unknown, record: IdempotencyRecord) => boolean | Promise<boolean>
}

/**
 * How long an idempotency record is kept at least. Webhooks, polls and unauthenticated callers can name an order at any time, and nothing in
 * the service's answer shows its age. So the idempotency record outlives the purchase record, without which no order is delivered:
 * naming the order later calls `onOrder` with the state `none`. An order without a purchase is `none` from the start.
 */
export const KEEP_HANDLED_MS: number = 400 * 86_400_000

export interface Store extends SharedState {
  /** True when nothing survives the process. */
  readonly forgets: boolean
  readonly purchases: PurchaseRows
  readonly jobs: Jobs
  readonly handled: Handled
  /**
   * Removes expired data, at most `limit` rows of it, and returns their number: purchase records first, then idempotency records that were
   * added more than `keepHandledMs` ago and whose purchase record is gone, then values and locks.
   */
  sweep(limit: number, keepHandledMs: number): Promise<number>
  /** Closes connections that the store has opened itself. Idempotent. */
  close(): Promise<void>
}
