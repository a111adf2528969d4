/** How often the service has charged the subscription of a purchase again: by its own dates, else by the purchase's age. */
import type { Subscription } from '../client/wire.ts'
import type { KnownPurchase, Purchase } from './purchase.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Days between two charges, by how the service writes the interval; anything else counts as a month. Short months count whole. */
const intervals = [
  { name: /year|annual/i, days: 365 },
  { name: /week/i, days: 7 },
  { name: /day|daily/i, days: 1 },
] as const
const MONTH_DAYS = 28

/** Charges after the first. None where the service does not say when. */
export function chargesOf({ start_date, last_paid_date, interval_time }: Subscription): number {
  if (!start_date || !last_paid_date) return 0
  return Math.floor((last_paid_date.getTime() - start_date.getTime()) / intervalMs(interval_time))
}

function intervalMs(interval_time = ''): number {
  return (intervals.find(({ name }) => name.test(interval_time))?.days ?? MONTH_DAYS) * DAY
}

/**
 * Charges that each purchase's subscription may have had, by the purchase's id. A service that answers with its newest subscription alone
 * hides the others (U4), so a purchase whose own subscriptions are not all shown is counted by its age.
 *
 * @param purchases that began subscriptions of one product.
 * @param shown subscriptions of that product and of who paid for these purchases.
 * @param at milliseconds since 1970.
 */
export function chargesOfEach(
  purchases: readonly KnownPurchase[],
  shown: readonly Subscription[],
  interval_time: string | undefined,
  at: number,
): Map<string, number> {
  const own = ownSubscriptions(purchases, shown)
  return new Map(
    purchases.map((known) => {
      const { id, begunAt } = known.purchase
      const subscriptions = own.get(id) ?? []
      const byAge = Math.floor((at - begunAt + HOUR) / intervalMs(interval_time))
      const isShown = subscriptions.length === begunBy(known)
      return [id, isShown ? Math.max(...subscriptions.map(chargesOf)) : byAge]
    }),
  )
}

/** By the purchase's id. A subscription is of the latest purchase that was open when it started. */
function ownSubscriptions(
  purchases: readonly KnownPurchase[],
  shown: readonly Subscription[],
): Map<string, Subscription[]> {
  const own = new Map<string, Subscription[]>()
  const latestFirst = [...purchases].sort((one, other) => other.purchase.begunAt - one.purchase.begunAt)
  for (const subscription of shown) {
    const purchase = latestFirst.find(
      (known) =>
        (own.get(known.purchase.id)?.length ?? 0) < begunBy(known) &&
        isStartedBy(subscription, known.purchase),
    )
    if (purchase) own.set(purchase.purchase.id, [...(own.get(purchase.purchase.id) ?? []), subscription])
  }
  return own
}

/** Subscriptions that a purchase began: each order that was paid for it began one, also a second payment by mistake. */
const begunBy = ({ orders }: KnownPurchase): number =>
  orders.filter(({ type, state }) => type === 'order_complete' && state !== 'renewal').length

/** A day before and after: a date may be one without a time, and clocks differ. */
function isStartedBy(
  { start_date, last_paid_date }: Subscription,
  { begunAt, validUntil }: Purchase,
): boolean {
  if (!start_date || !last_paid_date) return false
  const start = start_date.getTime()
  return begunAt - DAY <= start && start <= validUntil + DAY
}

/**
 * Whether the service may have charged it just now without its dates saying so yet. An hour: longer than the clocks of both are apart, and
 * short enough for what stays so to be decided before the attempts of its job end.
 */
export function isDue({ next_paid_date }: Subscription, at: number): boolean {
  return next_paid_date !== undefined && Math.abs(at - next_paid_date.getTime()) <= HOUR
}
