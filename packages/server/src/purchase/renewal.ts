/** How often the service has charged a subscription again, by its own dates. */
import type { Subscription } from '../client/wire.ts'

const DAY = 86_400_000

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
