/** Writes prices and intervals for people. */
import type { Words } from './language.ts'
import type { Offer } from './protocol.ts'

/** `9.99 EUR`, as the service writes amounts: decimal strings, never rounded. The currency stays on the amount's line. */
export const priceOf = ({ quote, quote_amount }: Offer): string => `${quote_amount}\u00a0${quote}`

/** How often a subscription is paid; empty for anything else. */
export function intervalOf(offer: Offer, words: Words): string {
  if (offer.kind !== 'subscription') return ''
  return offer.interval_time === 'yearly' ? words.yearly : words.monthly
}
