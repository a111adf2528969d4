/** How often the service has charged a subscription again, by its own dates. */
import type { Subscription } from '../client/wire.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Days between two charges, by how the service writes the interval; anything else counts as a month. Short months count whole. */
const intervals = [
  { name: /year|annual/i, days: 365 },
  { name: /week/i, days: 7 },
  { name: /day|daily/i, days: 1 },
] as const
const MONTH_DAYS = 28

/** Charges after the first. None where the service does not say when: what can't be told is looked at by a person. */
export function chargesOf({ start_date, last_paid_date, interval_time = '' }: Subscription): number {
  if (!start_date || !last_paid_date) return 0
  const days = intervals.find(({ name }) => name.test(interval_time))?.days ?? MONTH_DAYS
  return Math.floor((last_paid_date.getTime() - start_date.getTime()) / (days * DAY))
}

/**
 * Whether the service may have charged it just now without its dates saying so yet. An hour: longer than the clocks of both are apart, and
 * short enough for what stays so to be decided before the attempts of its job end.
 */
export function isDue({ next_paid_date }: Subscription, at: number): boolean {
  return next_paid_date !== undefined && Math.abs(at - next_paid_date.getTime()) <= HOUR
}
