/**
 * What a companion remembers with. One store serves purchases, fulfilment, lease and locks. Any function may reject when the
 * store is gone: callers go on without it as far as that is safe.
 *
 * A store of your own: implement `Store` and run `storeConformance` of `@purchase-widget/server/testing` over it.
 */
import type { Purchase, PurchaseRecord, RecordedOrder } from '../purchase/purchase.ts'

export interface StoredValue {
  value: string
  /** Milliseconds that the value has left: a duration, so that clocks of instances need not agree. Null: no end. */
  ttlMs: number | null
}

/** How long a database of a store may take for one call, in milliseconds. One that takes longer rejects, and counts as gone for the caller. */
export const ANSWER_MS = 5_000

/** What instances share for moments: the lease, locks and refusals. */
export interface SharedState {
  get(key: string): Promise<StoredValue | null>
  /** `ttlMs: null` keeps the value until it is replaced. */
  set(key: string, value: string, ttlMs: number | null): Promise<void>
  /** Runs `task` while no other holder of the same lock runs. */
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>
  /** The same, unless the lock has a holder: then it gives null, and nothing is run. */
  tryLock<T>(key: string, task: () => Promise<T>): Promise<T | null>
}

/** The rows of purchases. */
export interface PurchaseRows {
  /**
   * Adds a row; one with this id that is there stays as it is. A shopper keeps at most `PURCHASES_PER_SHOPPER` rows without a
   * complete order that links began (`kindOf`), and as many of pages: in the same write one is evicted, the oldest without any order, else
   * the oldest. Links that other sites opened are apart: of those without any order a shopper keeps the newest
   * `PURCHASES_BY_OTHER_SITES`; those with an order are as any other link's. So no other site can push out what the shopper has begun, or paid.
   * A preloaded row is kept for `KEEP_PRELOADED_MS`, is counted with no other, and is evicted by the next of this shopper and product.
   */
  begin(purchase: Purchase): Promise<void>
  /** The shopper has opened what was preloaded: from now on it is kept and counted as any other row. */
  open(purchase: Purchase): Promise<void>
  /** Null for an unknown id, and for one that has expired. */
  find(id: string): Promise<PurchaseRecord | null>
  /**
   * Settles the purchase by a complete order, unless another has: one atomic write, also between instances.
   *
   * @param checkAt when to check for a subscription (`subscriptionsDue`), in milliseconds since 1970; without it: never.
   * @returns the order that holds the claim; null for an unknown purchase.
   */
  claim(id: string, orderId: string, checkAt?: number | null): Promise<string | null>
  /**
   * Keeps what became of an order of this purchase, in place of what was known of it. One that is complete stays so: what says
   * otherwise was read earlier. At most `ORDERS_PER_PURCHASE`: the one that was recorded first is evicted, but not the one that holds
   * the claim. The purchase is then kept for `KEEP_UNSETTLED_MS` from now at least.
   */
  record(id: string, order: RecordedOrder): Promise<void>
  /** Purchases of a shopper (by `customId`, else `userId`) for a product that a complete order has settled, newest first. At most `SETTLED_FOR_SHOPPER`. */
  settledFor(shopper: string, productId: string): Promise<PurchaseRecord[]>
  /** Purchases of a shopper (by `customId`, else `userId`), newest first. At most `LISTED_FOR_SHOPPER`. */
  ofShopper(shopper: string): Promise<PurchaseRecord[]>
  /**
   * Purchases that no complete order has settled and that were not only preloaded, begun at `from` or later and before `to`; newest first. `after`: the last
   * purchase of the page before; it need not be there any more.
   */
  unsettled(span: UnsettledSpan): Promise<PurchaseRecord[]>
  /**
   * Gives one of the charges of a settled purchase's subscription to this order, unless so many orders have theirs: one atomic write, also
   * between instances. The purchase is then kept for `KEEP_SETTLED_MS` from now.
   *
   * @param charges how often the service has charged the subscription after its first order.
   * @param checkAt when to check the subscription next, if the order has a charge; without it: never.
   * @returns whether the order has a charge, now or from before.
   */
  renew(id: string, orderId: string, charges: number, checkAt?: number | null): Promise<boolean>
  /** Settled purchases whose subscription is to be checked at `at` or earlier, the longest due first. */
  subscriptionsDue(at: number, limit: number): Promise<PurchaseRecord[]>
  /** Says when to check the subscription of a purchase next; null: never. */
  checkSubscriptionAt(id: string, checkAt: number | null): Promise<void>
  /** Removes at most `limit` rows that have expired; gives their number. */
  sweep(limit: number): Promise<number>
}

/** What rows of a shopper are found by. */
export const shopperKey = ({ customId, userId }: Purchase['shopper']): string => customId ?? userId ?? ''

/** What a shopper's rows without a complete order are counted by: a page of the shop's, a link on any page, or another site, without a click. */
export type PurchaseKind = 'page' | 'link' | 'other_site'

export const kindOf = ({ surface, openedBy }: Pick<Purchase, 'surface' | 'openedBy'>): PurchaseKind =>
  surface !== 'launch' || openedBy === 'shopper' ? 'page' : openedBy

/** Until when a row is kept of which nothing comes, and is only preloaded. */
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

/** Rows without a complete order that a shopper may have: so many begun by links, and so many others. */
export const PURCHASES_PER_SHOPPER = 50
/** Rows without any order that a shopper may have of links that other sites opened. */
export const PURCHASES_BY_OTHER_SITES = 10
export const MOST_OF_KIND: Record<PurchaseKind, number> = {
  page: PURCHASES_PER_SHOPPER,
  link: PURCHASES_PER_SHOPPER,
  other_site: PURCHASES_BY_OTHER_SITES,
}
/** How long a preloaded row is kept that nobody has opened, and that has no order. */
export const KEEP_PRELOADED_MS: number = 600_000
export const ORDERS_PER_PURCHASE = 50
export const SETTLED_FOR_SHOPPER = 20
/** More than a shopper's unsettled rows, so that some are settled. */
export const LISTED_FOR_SHOPPER = 150
/**
 * How long a row is kept past its `validUntil` when no order of it was ever recorded: anybody can make such rows. A shop whose server was away
 * for a weekend still finds what was paid.
 */
export const KEEP_UNTRIED_MS: number = 2 * 86_400_000
/** How long a row is kept at least after an order of it was recorded: late webhooks still find it. */
export const KEEP_UNSETTLED_MS: number = 7 * 86_400_000
/** How long a settled row is kept after its claim: longer than a year, so that yearly subscriptions find it. */
export const KEEP_SETTLED_MS: number = 400 * 86_400_000

/** Unauthenticated callers have a queue of their own: whatever they add, jobs of the trusted queue are neither delayed nor changed. */
export type QueueName = 'trusted' | 'unauthenticated'

/** An order, or a shopper's orders, to be checked: `key` is JSON of an `OrderHint`. A key is in a queue once. */
export interface Job {
  readonly key: string
  readonly queue: QueueName
  /**
   * 1 the first time, and one more after each `retry`. Claims of killed processes do not count. A store may count anew when the
   * job is added again.
   */
  readonly attempt: number
  /** Tells this claim from any later one, and from a job that was added again meanwhile. */
  readonly receipt: string
}

export interface DeadLetter {
  readonly key: string
  /** Name and message of the last failure; no values. */
  readonly reason: string
  readonly attempts: number
  readonly diedAt: number
}

/** Jobs, each until it is completed, also when the process that took it is killed. */
export interface Jobs {
  /**
   * Adds a job, due at once; one that is there becomes due at once. The unauthenticated queue has at most `UNAUTHENTICATED_JOBS` jobs, and some more
   * where instances add at the same moment.
   *
   * @returns false when that queue is full.
   */
  add(key: string, queue: QueueName): Promise<boolean>
  /**
   * Takes up to `limit` due jobs of a queue, longest waiting first. Each comes back after `holdMs`, or a few seconds later, unless
   * it was completed, retried or buried.
   */
  claim(queue: QueueName, limit: number, holdMs: number): Promise<Job[]>
  /** Lets the job come back after `ms` from now, and no attempt count. One that was settled, came back or was added again since stays as it is. */
  hold(job: Job, ms: number): Promise<void>
  /** Removes the job. One that was added again since it was claimed stays. */
  complete(job: Job): Promise<void>
  /** Lets the job come back after `delayMs`, unless it was added again since it was claimed. */
  retry(job: Job, delayMs: number): Promise<void>
  /** Makes the job a dead letter, unless it was added again since it was claimed. At most `DEAD_LETTERS` are kept: the oldest are evicted. */
  bury(job: Job, reason: string): Promise<void>
  /** Newest first. */
  deadLetters(limit: number): Promise<DeadLetter[]>
  /** Adds dead letters again, in the trusted queue, with attempts counted anew: one by its key, or all. Gives their number. */
  redrive(key?: string): Promise<number>
}

export const UNAUTHENTICATED_JOBS = 1_000
export const DEAD_LETTERS = 10_000

/** One state of one order, which `onOrder` has handled. */
export interface IdempotencyRecord {
  readonly orderId: string
  readonly type: string
  /** The purchase that the order belongs to; null when it belongs to none. */
  readonly purchaseId: string | null
}

/** Which states of which orders `onOrder` has handled. */
export interface Handled {
  has(orderId: string, type: string): Promise<boolean>
  /** False when it was there. One atomic write. */
  add(record: IdempotencyRecord): Promise<boolean>
  /** The same inside the merchant's transaction; missing where a store has none. */
  addWithin?: (transaction: unknown, record: IdempotencyRecord) => boolean | Promise<boolean>
  /** Removes at most `limit` idempotency records that were added before `before` and whose purchase has no row any more; gives their number. */
  sweep(before: number, limit: number): Promise<number>
}

/**
 * How long an idempotency record is kept at least. Webhooks, polls and unauthenticated callers can name an order for ever, and nothing that the service says
 * of it tells how old it is. So a record outlives the purchase, which alone makes an order one to deliver: whoever
 * names the order later leads to `onOrder` with the state `none`. An order of no purchase is `none` from the start.
 */
export const KEEP_HANDLED_MS: number = 400 * 86_400_000

export interface Store extends SharedState {
  /** True when nothing survives the process. */
  readonly forgets: boolean
  readonly purchases: PurchaseRows
  readonly jobs: Jobs
  readonly handled: Handled
  /** Ends connections that the store has opened itself. Idempotent. */
  close(): Promise<void>
}
