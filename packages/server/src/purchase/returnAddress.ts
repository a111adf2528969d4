/** The return addresses of a purchase: `{url}/return/{id}`, and `/failed` behind it. The id in them is what comes back on the order. */
import type { Purchase } from './purchase.ts'

export type Outcome = 'success' | 'failure'

export const returnAddress = (url: string, id: string, outcome: Outcome): string =>
  `${url}/return/${id}${outcome === 'failure' ? '/failed' : ''}`

const named = /\/return\/([\w-]{22})(?![\w-])(\/failed(?![\w-]))?/

/** The purchase that an address or a path names, whatever was appended to it. Null when there is none. */
export function readReturn(address: string): { id: string; outcome: Outcome } | null {
  const [, id, failed] = named.exec(address) ?? []
  return id === undefined ? null : { id, outcome: failed ? 'failure' : 'success' }
}

/**
 * Whether an order's address is this return address: as it was given, with a query or more appended, or cut short.
 *
 * @param expected under 120 characters: a cut at 255 leaves it whole.
 */
export const isReturnAddress = (address: string, expected: string): boolean =>
  address.startsWith(expected) && !/^([\w-]|\/failed)/.test(address.slice(expected.length))

/** Where the shopper goes on to, at the merchant's, with the purchase named. Null: nowhere. */
export function merchantReturn(purchase: Purchase, outcome: Outcome): string | null {
  const address = outcome === 'success' ? purchase.returnUrl : purchase.failReturnUrl
  const url = address === null ? null : URL.parse(address)
  if (!url) return null
  url.search = [
    ...pairsOf(url).filter((pair) => !/^purchase(=|$)/.test(pair)),
    `purchase=${purchase.id}`,
  ].join('&')
  return url.href
}

/** What this companion and the service (U19) add to a return address. A shop may have a `type` of its own. */
const returned = /^((purchase|order_id|custom_id|fail_reason)(=|$)|type=order_)/

/** A page's address without what an earlier return has left in it. */
export function withoutReturned(address: string): string {
  const url = new URL(address)
  url.search = pairsOf(url)
    .filter((pair) => !returned.test(pair))
    .join('&')
  url.hash = ''
  return url.href
}

/** The query as it is written: `URLSearchParams` would write `+` for `%20`, which not every shop reads as a space. */
const pairsOf = ({ search }: URL): string[] => search.slice(1).split('&').filter(Boolean)
