/**
 * Where a purchase leads the shopper, and what an address says about it. It needs neither DOM nor `URL`, which React Native has only
 * in parts.
 */

import { own } from './names.ts'
import { outcomeOf } from './outcome/result.ts'
import type { OrderSummary, ReturnInfo } from './types.ts'
import { safeOrigin } from './url.ts'

/** Where a purchase may return to. Absolute; any scheme, since a webview may use its app's own. */
export interface ReturnAddresses {
  /** The companion's, whose return pages are `{companion}/return/<id>` and `{companion}/return/<id>/failed`. */
  companion?: string | undefined
  /** The merchant's own, as they were given to the service. */
  redirectUrl?: string | undefined
  failRedirectUrl?: string | undefined
}

/** The companion's return page. A purchase's id is 22 characters of base64url, or the 36 of a UUID. */
const returnPage = /^([^?#]*)\/return\/([\w-]{22,36})(\/failed)?\/?(?=[?&#]|$)/

/** What the service may add; it promises nothing (U19). `purchase` is the companion's, or the loader's. */
const addedParam =
  /([?&])(order_id|custom_id|fail_reason|purchase(?==[\w-]{22,36}(?:[?&#]|$))|type(?==\w+_))=?([^?&#]*)/g

/** What an address says by itself. */
export interface ReadAddress {
  info: ReturnInfo
  /** What the service added says of the order. */
  says: 'success' | 'failure' | undefined
  /** Where the companion is, if this is its return page. */
  base: string | undefined
}

/** Bears with a second `?`, with `&` where `?` belongs, and with what can't be decoded. */
export function readAddress(address: string): ReadAddress {
  const added = own<Record<string, string>>({})
  const [, origin = '', rest = address] = /^(\w[^:]*:\/*[^/?#]*)(.*)/s.exec(address) ?? []
  const url =
    origin +
    rest
      .replace(addedParam, (_, mark: string, name: string, value: string) => {
        added[name] = decode(value)
        return mark
      })
      .replace(/[?&]+(?=#|$)|([?&])[?&]+/g, '$1')
  const [, base, id, failed] = returnPage.exec(url) ?? []
  const { type, order_id: orderId, custom_id: customId, fail_reason: reason } = added
  // What stands in the path is the companion's own word; a query may be anybody's.
  const purchaseId = id ?? added.purchase
  const says = outcomeOf({ type })
  const declineCode = /\b40(0[0-5]|1[0-3])\b/.exec(`${reason}`)?.[0]
  return {
    says,
    base,
    info: {
      status: says ?? (failed ? 'failure' : id ? 'success' : 'unknown'),
      url,
      ...(purchaseId && { purchaseId }),
      ...(orderId && { orderId }),
      ...(customId && { customId }),
      ...(declineCode && { declineCode }),
    },
  }
}

/**
 * Whether an address is the return from a purchase, and what it says: for a webview's navigation delegate, and for the return
 * page. Needs nothing but the language. What an address says is a hint: ask the merchant's server.
 *
 * It bears with a second `?`, with `&` where `?` belongs, and with what can't be decoded.
 *
 * @returns null when addresses are given and this is none of them.
 */
export function parseReturnUrl(url: string, addresses: ReturnAddresses = {}): ReturnInfo | null {
  const { companion, redirectUrl = '', failRedirectUrl = '' } = own(addresses)
  const { info, says, base } = readAddress(url)
  if (companion ? base === companion.replace(/\/$/, '') : !redirectUrl && !failRedirectUrl) return info

  /** How much of the address an expected one explains; nothing unless it ends where it may. */
  const fit = (expected: string): number =>
    info.url.startsWith(expected) &&
    (expected.includes('?') ? /^([&#]|$)/ : /^\/?([?#]|$)/).test(info.url.slice(expected.length))
      ? expected.length
      : 0
  const success = fit(redirectUrl)
  const failure = fit(failRedirectUrl)
  if (!success && !failure) return null
  const status = success > failure ? 'success' : success < failure ? 'failure' : 'unknown'
  return { ...info, status: says ?? status }
}

/** Where a finished order sends the shopper. */
export interface Redirect {
  url: string
  target: '_self' | '_blank'
}

/**
 * The rule of `redirect_page`: a complete order goes to `redirect_url`, a failed one to `fail_redirect_url`, any other nowhere.
 * Needs nothing but the language.
 *
 * An order's address is text that anybody may have given. It leads somewhere only when it is https, or http on loopback, and its
 * origin is the page's own or one of `allowedReturnOrigins`. Where there is no page (a server, a native app), give the origin of
 * your shop.
 */
export function resolveRedirect(
  order: Pick<OrderSummary, 'type' | 'redirect_url' | 'fail_redirect_url' | 'redirect_page'>,
  options: { allowedReturnOrigins?: readonly string[] | undefined } = {},
): Redirect | null {
  const { allowedReturnOrigins = [] } = own(options)
  const outcome = outcomeOf(order)
  const url = outcome && (outcome === 'success' ? order.redirect_url : order.fail_redirect_url)
  const origin = url && safeOrigin(url)
  return origin && [globalThis.origin, ...allowedReturnOrigins].some((each) => safeOrigin(each) === origin)
    ? { url, target: order.redirect_page === 'new' ? '_blank' : '_self' }
    : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
