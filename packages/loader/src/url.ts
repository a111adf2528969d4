/**
 * Addresses as text, and which of them may be opened. Everything here runs in a bare JavaScript engine: it needs neither DOM nor `URL`,
 * which React Native implements only in part.
 */
import { invalid } from './errors.ts'
import { nullProto } from './names.ts'

/** https, or http on loopback, or http on another host, captured last; no user name, white space or backslash, so the rest reads as it looks. */
const address =
  /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127(\.\d+){3}|\[::1]|[\w-]+\.localhost|([\w.-]+))(:\d+)?)([/?#][^\s\\]*)?$/i

/** What may be opened in addition to the pattern. */
interface Allowed {
  readonly plainHttpHosts?: readonly string[] | undefined
}

/** Whether plain http is allowed for a host. Anyone on the network could read it, so a page on https allows none. */
const allowsPlainHttp = (host: string, allowed: Allowed | undefined): boolean | undefined =>
  allowed?.plainHttpHosts?.includes(host) && globalThis.location?.protocol !== 'https:'

/** The origin of an address that the loader may open, as written there; undefined for any other. */
export function safeOrigin(value: unknown, allowed?: Allowed): string | undefined {
  const [, origin, , , host] = address.exec(`${value}`) ?? []
  // A URL parser, where there is one, knows more about hosts and ports.
  return globalThis.URL?.canParse?.(`${value}`) === false || (host && !allowsPlainHttp(host, allowed))
    ? undefined
    : origin
}

/** The same, but throws `invalid_options` for any other address, which is then the merchant's mistake. */
export const originOf = (value: unknown, name: string, allowed?: Allowed): string =>
  safeOrigin(value, allowed) ?? invalid(name)

/** Query parameters, under the service's names. */
type QueryParams = Readonly<Record<string, string | undefined>>

/** Query parameters as text; `accessToken` is never among them. */
const queryOf = (params: QueryParams = {}): string =>
  Object.entries(params)
    .map(([name, value]) =>
      value == null || name === 'accessToken'
        ? ''
        : // A lone surrogate, as where a name was cut within an emoji, can't be encoded.
          `&${encodeURIComponent(name)}=${encodeURIComponent(`${value}`.replace(/\p{Cs}/gu, '\ufffd'))}`,
    )
    .join('')

export const withParams = (url: string, params: QueryParams): string =>
  url + queryOf(params).replace('&', url.includes('?') ? '&' : '?')

/** The address of one of the companion's routes. */
export const routeOf = (companion: string, route: string): string =>
  `${companion.replace(/\/$/, '')}/${route}`

export interface WidgetUrlParts {
  /** Address of the widget page, without `/widget/`. https, or http on loopback. */
  widgetUrl: string
  accessToken: string
  /** Query parameters: the order's fields of section 2.2, and any other (U10). `accessToken` among them is ignored. */
  params?: QueryParams
  /** Like the loader's option. */
  plainHttpHosts?: readonly string[] | undefined
}

/**
 * The address of the widget page: `{widgetUrl}/widget/?accessToken=…` (section 1 of the interface). Needs only the language itself.
 *
 * The token in it gives access to every order of the business (U9): keep the address out of logs, storage and the DOM.
 *
 * @throws WidgetError `invalid_options` for an address that is neither https nor http on loopback, or an empty token.
 */
export function buildWidgetUrl(parts: WidgetUrlParts): string {
  const given = nullProto(parts)
  const { widgetUrl, accessToken, params } = given
  originOf(widgetUrl, 'widgetUrl', given)
  if (!accessToken || typeof accessToken !== 'string') invalid('accessToken')
  // Up to the query, without trailing slashes. Anchored: an unanchored search would take time quadratic in their number.
  const [base] = /^[^?#]*[^?#/]/.exec(widgetUrl) ?? []
  return `${base}/widget/?accessToken=${encodeURIComponent(accessToken)}${queryOf(params)}`
}
