/**
 * Addresses, as text. Everything here runs in a bare JavaScript engine: it needs neither DOM nor `URL`, which React Native
 * has only in parts.
 */
import { invalid } from './errors.ts'
import { own } from './own.ts'
import { outcomeOf } from './state.ts'
import type { OrderSummary, ReturnInfo, WidgetParams } from './types.ts'

/** https, or http on loopback; no user name, white space or backslash: what is left means what it looks like. */
const address =
  /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127(\.\d+){3}|\[::1]|[\w-]+\.localhost)(:\d+)?)([/?#][^\s\\]*)?$/i

/** The origin of an address that the loader may open, as it is written there; undefined for any other. */
export const safeOrigin = (value: unknown): string | undefined =>
  // Where there is a URL parser, it knows more about hosts and ports.
  globalThis.URL?.canParse?.(`${value}`) === false ? undefined : address.exec(`${value}`)?.[1]

/** The same, where any other is the merchant's mistake: throws `invalid_options`. */
export const originOf = (value: unknown, name: string): string =>
  safeOrigin(value) ?? invalid(`${name}: use https, or http on localhost.`)

/** Query parameters as text; `accessToken` is never among them. */
const queryOf = (params: WidgetParams = {}): string =>
  Object.entries(params)
    .map(([name, value]) =>
      value == null || name === 'accessToken'
        ? ''
        : `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    )
    .join('')

export const withParams = (url: string, params: WidgetParams): string =>
  url + queryOf(params).replace('&', url.includes('?') ? '&' : '?')

export interface WidgetUrlParts {
  /** Address of the widget page, without `/widget/`. https, or http on loopback. */
  widgetUrl: string
  accessToken: string
  /** Query parameters (U10). `accessToken` among them is ignored. */
  params?: WidgetParams
}

/**
 * The address of the widget page: `{widgetUrl}/widget/?accessToken=…` (section 1 of the interface). Needs nothing but the language.
 *
 * The token in it opens every order of the business (U9): keep the address out of logs, storage and the DOM.
 *
 * @throws WidgetError `invalid_options` for an address that is neither https nor http on loopback, or an empty token.
 */
export function buildWidgetUrl(parts: WidgetUrlParts): string {
  const { widgetUrl, accessToken, params } = own(parts)
  originOf(widgetUrl, 'widgetUrl')
  if (!accessToken || typeof accessToken !== 'string') invalid('accessToken: pass text.')
  // Up to its query, without slashes at the end. Anchored: looking for them anywhere takes the square of their number.
  const [base] = /^[^?#]*[^?#/]/.exec(widgetUrl) ?? []
  return `${base}/widget/?accessToken=${encodeURIComponent(accessToken)}${queryOf(params)}`
}

/** The merchant's return addresses, as they were given to the service. Any scheme: a webview may use its app's own. */
export interface ReturnAddresses {
  redirectUrl?: string | undefined
  failRedirectUrl?: string | undefined
}

/**
 * Whether an address is the return from a purchase, and what it says: for a webview's navigation delegate, and for the return
 * page. Needs nothing but the language. What an address says is a hint: ask the merchant's server.
 *
 * It bears with a second `?`, with `&` where `?` belongs, and with what can't be decoded.
 *
 * @returns null when addresses are given and this is neither of them.
 */
export function parseReturnUrl(url: string, addresses: ReturnAddresses = {}): ReturnInfo | null {
  const { redirectUrl = '', failRedirectUrl = '' } = own(addresses)
  const added = own<Record<string, string>>({})
  const [, origin = '', rest = url] = /^(\w[^:]*:\/*[^/?#]*)(.*)/s.exec(url) ?? []
  const clean =
    origin +
    rest
      // What the service may add; it promises nothing (U19).
      .replace(
        /([?&])(order_id|custom_id|fail_reason|type(?==\w+_))=?([^?&#]*)/g,
        (_, mark: string, name: string, value: string) => {
          added[name] = decode(value)
          return mark
        },
      )
      .replace(/[?&]+(?=#|$)|([?&])[?&]+/g, '$1')

  /** How much of the address an expected one explains; nothing unless it ends where it may. */
  const fit = (expected: string): number =>
    clean.startsWith(expected) &&
    (expected.includes('?') ? /^([&#]|$)/ : /^\/?([?#]|$)/).test(clean.slice(expected.length))
      ? expected.length
      : 0
  const success = fit(redirectUrl)
  const failure = fit(failRedirectUrl)
  if (redirectUrl + failRedirectUrl && !success && !failure) return null

  const { type, order_id: orderId, custom_id: customId, fail_reason: reason } = added
  const declineCode = /\b40(0[0-5]|1[0-3])\b/.exec(`${reason}`)?.[0]
  return {
    status:
      outcomeOf({ type }) ?? (success > failure ? 'success' : success < failure ? 'failure' : 'unknown'),
    url: clean,
    ...(orderId && { orderId }),
    ...(customId && { customId }),
    ...(declineCode && { declineCode }),
  }
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
  return url && [globalThis.origin, ...allowedReturnOrigins].map(safeOrigin).includes(safeOrigin(url) ?? '')
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
