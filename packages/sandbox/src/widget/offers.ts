/** Writes offers, prices and days for people. */
import type { Offer } from './protocol.ts'

/** `9.99 EUR`, as the service writes amounts: decimal strings, never rounded. */
export const priceOf = ({ quote, quote_amount }: Offer): string => `${quote_amount} ${quote}`

export const kindLabels: Record<Offer['kind'], string> = {
  digital_good: 'Digital good',
  subscription: 'Subscription',
  crypto: 'Crypto',
}

/** `12 December 2026`, for a date as the service writes it. */
export function dayOf(iso: string): string {
  const day = new Date(iso)
  return Number.isNaN(day.getTime()) ? iso : day.toLocaleDateString('en-GB', { dateStyle: 'long' })
}
