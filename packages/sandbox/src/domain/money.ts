/** Decimal amounts: strings on the wire and in the database, big.js in between, never floating point. */
import Big from 'big.js'

const amountPattern = /^\d{1,12}(\.\d{1,8})?$/

/** A positive decimal string of at most twelve digits before the point and eight after. */
export const isAmount = (text: string): boolean => amountPattern.test(text) && Big(text).gt(0)

/** At least two decimals, and more when the amount needs them. */
function formatAmount(amount: Big): string {
  const text = amount.toFixed()
  const decimals = text.split('.')[1]?.length ?? 0
  return decimals < 2 ? amount.toFixed(2) : text
}

export const add = (a: string, b: string): string => formatAmount(Big(a).plus(b))
export const subtract = (a: string, b: string): string => formatAmount(Big(a).minus(b))

/** The remainder of `limit` after `spent`; zero when the limit was lowered below it. */
export function remainder(limit: string, spent: string): string {
  const left = Big(limit).minus(spent)
  return formatAmount(left.lt(0) ? Big(0) : left)
}

export const fits = (amount: string, remaining: string): boolean => Big(amount).lte(remaining)

/** The crypto amount that `quoteAmount` of fiat buys at `rate`, rounded down to the eighth decimal. */
export const convert = (quoteAmount: string, rate: string): string =>
  formatAmount(Big(quoteAmount).div(rate).round(8, Big.roundDown))

/** The fiat price of `baseAmount` of crypto at `rate`, rounded up to the cent. */
export const priceOf = (baseAmount: string, rate: string): string =>
  formatAmount(Big(baseAmount).times(rate).round(2, Big.roundUp))

/** Rounds half up to this number of decimals. */
export const round = (amount: string, decimals: number): string =>
  formatAmount(Big(amount).round(decimals, Big.roundHalfUp))

/** Adds `percent` of fees, and rounds up to the cent. */
export const withFees = (amount: string, percent: string): string =>
  formatAmount(Big(amount).times(Big(percent).div(100).plus(1)).round(2, Big.roundUp))
