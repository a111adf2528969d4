/** Subscriptions as the service reports them (4.4): whose they are, how often each was charged, and when next, by its own dates or else by age. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, Subscription } from '../client/wire.ts'
import { whenUnknown } from '../errors.ts'
import type { Purchase, PurchaseRecord } from './purchase.ts'

type Client = Pick<PurchaseClient, 'subscriptions'>

/** One at a time: whether several must all match, or any, is not specified (U28). */
export type SubscriptionIdentifier = { user_id: string } | { custom_id: string } | { product_id: string }

/**
 * Lists the subscriptions of all these identifiers, each once: a subscription has no id, so two equal records are the same one. A service
 * that returns a single subscription hides the others (U4).
 */
export async function listSubscriptions(
  client: Client,
  identifiers: readonly SubscriptionIdentifier[],
): Promise<Subscription[]> {
  return eachOnce(await Promise.all(identifiers.map((identifier) => listBy(client, identifier))))
}

type Listed = Subscription[] | 'refused'

const eachOnce = (lists: readonly Listed[]): Subscription[] => {
  const listed = lists.flatMap((list) => (list === 'refused' ? [] : list))
  return [...new Map(listed.map((one) => [JSON.stringify(one.raw), one])).values()]
}

/** Only records that carry the identifier themselves. `refused`: the service may not know the identifier. */
async function listBy(client: Client, identifier: SubscriptionIdentifier): Promise<Listed> {
  const listed = await client.subscriptions.list(identifier).catch(whenUnknown('refused' as const))
  if (listed === 'refused') return listed
  const wanted: Partial<Subscription> = identifier
  return listed.filter((one) =>
    (['user_id', 'custom_id', 'product_id'] as const).every(
      (field) => wanted[field] === undefined || one[field] === wanted[field],
    ),
  )
}

/** Who subscribed to which product. Without `user_id`: any user of the service who paid under this custom id. */
export interface Subscriber {
  product_id: string
  custom_id?: string | undefined
  user_id?: string | undefined
}

export interface ShownSubscriptions {
  /** The subscriber's subscriptions to this product, as far as the service lists them. */
  readonly shown: readonly Subscription[]
  /** The time between two charges of the product, in milliseconds. */
  readonly intervalMs: number
}

/**
 * Finds a subscriber's subscriptions to one product.
 *
 * @returns `none` when the service lists none at all for the product. `refused` when it has refused instead: how it reports that there is
 * none is not specified (U6), so it may not have any, or may have failed for a moment.
 */
export async function findSubscriptions(
  client: Client,
  { product_id, custom_id, user_id }: Subscriber,
): Promise<ShownSubscriptions | 'none' | 'refused'> {
  // The newest one of this user may be for another product.
  const identifiers = [...(user_id ? [{ user_id }] : []), ...(custom_id ? [{ custom_id }] : [])]
  const lists = await Promise.all(identifiers.map((identifier) => listBy(client, identifier)))
  const shown = eachOnce(lists).filter(
    (one) =>
      one.product_id === product_id &&
      isSameId(one.custom_id, custom_id) &&
      (user_id === undefined || isSameId(one.user_id, user_id)),
  )
  // Those of other users only show how often it is charged, and may be many: they are read only if nothing else shows it.
  if (shown.length === 0) lists.push(await listBy(client, { product_id }))
  const [any] = shown.length > 0 ? shown : eachOnce(lists.slice(-1))
  if (any) return { shown, intervalMs: intervalOf(any) }
  return lists.includes('refused') ? 'refused' : 'none'
}

/** A blank id may be left out. */
export const isSameId = (one: Order['user_id'] = '', other: Order['user_id'] = ''): boolean => one === other

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Every month counts as a short one. */
const MONTH_DAYS = 28
const LONGEST_MONTH_DAYS = 31
/** Days between two charges, by the service's name of the interval, which it does not list (2.3). */
const intervals = [
  { name: /(semi|bi).?month/i, days: 14 },
  { name: /month/i, days: MONTH_DAYS },
  { name: /(half|semi|bi).?(year|annual)/i, days: 181 },
  { name: /year|annual/i, days: 365 },
  { name: /week/i, days: 7 },
  { name: /day|daily/i, days: 1 },
] as const
/** A charge may come minutes early. */
const SHORTEST_MS = DAY - HOUR

/** Longer than webhooks and their jobs take, so that a charge whose webhook arrived is not looked for. */
const CHECK_AFTER_MS = 2 * HOUR
/** How often to check a subscription whose next date is unknown, or has passed without a charge. */
const CHECK_AGAIN_MS = DAY
/** How long to check a subscription after its last date, since the service may charge a card late. */
const CHECK_LATE_MS = 30 * DAY

export interface Charges {
  /** The most times that it was charged after its first order. */
  readonly count: number
  /** When a charge may have been missed, in milliseconds since 1970; null: the subscription has ended. */
  readonly checkAt: number | null
}

type PaidSubscription = Subscription & Required<Pick<Subscription, 'start_date' | 'last_paid_date'>>

/** Charges after the first. A charge may come minutes early. */
function countByDates(subscription: PaidSubscription): number {
  const { start_date, last_paid_date } = subscription
  return Math.floor((last_paid_date.getTime() - start_date.getTime() + HOUR) / intervalOf(subscription))
}

/**
 * An interval of another name is the time between its last date and its next, else a short month. Months and years differ, and the one before may
 * have been shorter: such a time counts as if its months were short ones.
 */
function intervalOf({ interval_time = '', last_paid_date, next_paid_date }: Subscription): number {
  const days = intervals.find(({ name }) => name.test(interval_time))?.days
  if (days !== undefined) return days * DAY
  const byDates = last_paid_date && next_paid_date ? next_paid_date.getTime() - last_paid_date.getTime() : 0
  if (byDates < SHORTEST_MS) return MONTH_DAYS * DAY
  return byDates < MONTH_DAYS * DAY ? byDates : byDates * (MONTH_DAYS / LONGEST_MONTH_DAYS)
}

/**
 * The charges of the subscription that a purchase began. A service that returns only its newest subscription hides the others (U4), so a
 * purchase whose own subscriptions are not all listed is counted by its age, and checked once a day.
 *
 * @param found the payer's subscriptions to its product.
 * @param at milliseconds since 1970.
 */
export function chargesOf(record: PurchaseRecord, found: ShownSubscriptions, at: number): Charges {
  const own = found.shown.filter((one) => isStartedBy(one, record.purchase))
  if (own.length > 0 && own.length >= countStarted(record)) {
    return {
      count: Math.max(...own.map(countByDates)),
      checkAt: earliest(own.map((one) => checkAtOf(one, at))),
    }
  }
  const age = at - record.purchase.begunAt
  return { count: Math.floor((age + HOUR) / found.intervalMs), checkAt: at + CHECK_AGAIN_MS }
}

function earliest(times: readonly (number | null)[]): number | null {
  const given = times.filter((time) => time !== null)
  return given.length > 0 ? Math.min(...given) : null
}

/** Null once it has ended: it will not be charged any more, or has not been charged for a month after its date. */
function checkAtOf({ next_paid_date, expire_date, next_paid }: Subscription, at: number): number | null {
  const [next, end] = [next_paid_date?.getTime(), expire_date?.getTime()]
  const renews = next_paid !== false
  // One that does not renew may have no next date any more.
  const last = Math.max(next ?? (renews ? at : 0), end ?? 0)
  if (at > last + (renews ? CHECK_LATE_MS : 0)) return null
  return next !== undefined && next + CHECK_AFTER_MS > at ? next + CHECK_AFTER_MS : at + CHECK_AGAIN_MS
}

/** The number of subscriptions that a purchase began: each order that was paid for it began one, also a second payment by mistake. */
const countStarted = ({ orders }: PurchaseRecord): number =>
  orders.filter(({ type, state }) => type === 'order_complete' && state !== 'renewal').length

/** A day before and after: a date may have no time, and clocks differ. */
function isStartedBy(
  subscription: Subscription,
  { begunAt, validUntil }: Purchase,
): subscription is PaidSubscription {
  const { start_date, last_paid_date } = subscription
  if (!start_date || !last_paid_date) return false
  const start = start_date.getTime()
  return begunAt - DAY <= start && start <= validUntil + DAY
}

/** Whether the order may be a charge of its subscription: it is old enough, and its checks have not ended. */
export const expectsCharge = ({ purchase, checkAt }: PurchaseRecord, at: number): boolean =>
  checkAt !== null && at - purchase.begunAt >= SHORTEST_MS

/** Whether the order that holds the claim matched: one that was late, or not decided by the server, began no subscription. */
export const beganSubscription = ({ purchase, claimedBy, orders }: PurchaseRecord): boolean =>
  purchase.decidedBy === 'server' && orders.some(({ id, state }) => id === claimedBy && state === 'matched')
