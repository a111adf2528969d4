/** How a purchase's id travels through the service and back: in its orders' return addresses, or their `custom_id`; and the widget's address. */
import type { Purchase } from './purchase.ts'
import { idOf, paramsOf } from './shopper.ts'

/** Has the format of 128 random bits in base64url. */
export const isPurchaseId = (text: string): boolean => /^[\w-]{22}$/.test(text)

const carried = /^purchase_([\w-]{22})$/

export const customIdOf = (purchaseId: string): string => `purchase_${purchaseId}`

/** The `custom_id` that a purchase's orders have: the service lists them by it. */
export const carriedId = ({ carrier, id, shopper }: Pick<Purchase, 'carrier' | 'id' | 'shopper'>): string =>
  carrier === 'custom_id' ? customIdOf(id) : idOf(shopper)

/** The purchase that a `custom_id` carries; null for a shopper's id. */
export const readCustomId = (customId = ''): string | null => carried.exec(customId)?.[1] ?? null

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

/** The merchant's address to which the shopper continues, with the purchase named. Null: none. */
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

/** Parameters that this companion and the service (U19) add to a return address. A shop may have a `type` of its own. */
const returned = /^((purchase|order_id|custom_id|fail_reason)(=|$)|type=order_)/

/** A page's address without the parameters that an earlier return has added. */
export function withoutReturned(address: string): string {
  const url = new URL(address)
  url.search = pairsOf(url)
    .filter((pair) => !returned.test(pair))
    .join('&')
  url.hash = ''
  return url.href
}

/** The raw query: `URLSearchParams` would write `+` for `%20`, which not every shop reads as a space. */
const pairsOf = ({ search }: URL): string[] => search.slice(1).split('&').filter(Boolean)

/** `accessToken` cannot be overridden by `params` (U10). */
export function buildWidgetUrl(
  widgetUrl: string,
  accessToken: string,
  params: Record<string, string>,
): string {
  const url = new URL(`${widgetUrl}/widget/`)
  for (const [name, value] of Object.entries(params)) {
    if (name.toLowerCase() !== 'accesstoken') url.searchParams.set(name, value)
  }
  url.searchParams.set('accessToken', accessToken)
  return url.href
}

/** The decided and chosen parameters; the companion's own fields last. */
export function widgetParams(
  purchase: Purchase,
  chosen: Purchase['chosen'] = purchase.chosen,
): Record<string, string> {
  const { id, params, shopper, carrier, surface, redirectPage, url } = purchase
  return {
    ...params,
    ...chosen,
    ...paramsOf(shopper),
    ...(carrier === 'custom_id' ? { custom_id: customIdOf(id) } : {}),
    redirect_url: returnAddress(url, id, 'success'),
    fail_redirect_url: returnAddress(url, id, 'failure'),
    // The loader has already opened the tab: the widget must not open another.
    redirect_page: surface === 'redirect' ? 'self' : redirectPage,
  }
}
