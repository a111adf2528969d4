/**
 * Where a purchase sends the shopper, and what an address says about it. It needs neither DOM nor `URL`, which React Native implements
 * only in part.
 */

import { nullProto } from './names.ts'
import { outcomeOf } from './outcome/result.ts'
import type { OrderSummary, ReturnInfo } from './types.ts'
import { safeOrigin } from './url.ts'

/** Where a purchase may return to. Absolute; any scheme, since a webview may use its app's own. */
export interface ReturnAddresses {
  /** The companion's address, whose return pages are `{companion}/return/<id>` and `{companion}/return/<id>/failed`. */
  companion?: string | undefined
  /** The merchant's own addresses, as they were passed to the service. */
  redirectUrl?: string | undefined
  failRedirectUrl?: string | undefined
}

/** The companion's return page. A purchase's id is 22 characters of base64url, or the 36 of a UUID. */
const returnPage = /^([^?#]*)\/return\/([\w-]{22,36})(\/failed)?\/?(?=[?&#]|$)/

/** Parameters that the service may add, without any guarantee (U19). The companion or the loader adds `purchase`. */
const addedParam =
  /([?&])(order_id|custom_id|fail_reason|purchase(?==[\w-]{22,36}(?:[?&#]|$))|type(?==\w+_))=?([^?&#]*)/g

/** The information in an address. */
export interface ReadAddress {
  info: ReturnInfo
  /** The outcome according to the service's parameters. */
  says: 'success' | 'failure' | undefined
  /** The companion's address, if this is its return page. */
  base: string | undefined
}

/** Accepts a second `?`, an `&` where `?` belongs, and text that can't be decoded. */
export function readAddress(address: string): ReadAddress {
  const added = nullProto<Record<string, string>>({})
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
  // The companion itself wrote the path; anyone may have written the query.
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
 * page. Needs only the language itself. What an address says is a hint: ask the merchant's server.
 *
 * It accepts a second `?`, an `&` where `?` belongs, and text that can't be decoded.
 *
 * @returns null when addresses are given and this is none of them.
 */
export function parseReturnUrl(url: string, addresses: ReturnAddresses = {}): ReturnInfo | null {
  const { companion, redirectUrl = '', failRedirectUrl = '' } = nullProto(addresses)
  const { info, says, base } = readAddress(url)
  if (companion ? base === companion.replace(/\/$/, '') : !redirectUrl && !failRedirectUrl) return info

  /** Length of the address that an expected one matches; 0 unless the match ends where an address may end. */
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
 * Implements `redirect_page`: a complete order goes to `redirect_url`, a failed one to `fail_redirect_url`, any other nowhere.
 * Needs only the language itself.
 *
 * An order's address is text from an untrusted source. It is used only if it is https, or http on loopback, and its origin is the
 * page's own or one of `allowedReturnOrigins`. Where there is no page (a server, a native app), pass the origin of
 * your shop.
 */
export function resolveRedirect(
  order: Pick<OrderSummary, 'type' | 'redirect_url' | 'fail_redirect_url' | 'redirect_page'>,
  options: { allowedReturnOrigins?: readonly string[] | undefined } = {},
): Redirect | null {
  const { allowedReturnOrigins = [] } = nullProto(options)
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
