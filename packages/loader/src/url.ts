/**
 * Addresses, as text, and which of them may be opened. Everything here runs in a bare JavaScript engine: it needs neither DOM nor `URL`,
 * which React Native has only in parts.
 */
import { invalid } from './errors.ts'
import { own } from './names.ts'

/** https, or http on loopback, or http on another host, captured last; no user name, white space or backslash: what is left means what it looks like. */
const address =
  /^(https:\/\/[^\s/?#@\\]+|http:\/\/(localhost|127(\.\d+){3}|\[::1]|[\w-]+\.localhost|([\w.-]+))(:\d+)?)([/?#][^\s\\]*)?$/i

/** What may be opened beyond the pattern. */
export interface Allowed {
  readonly plainHttpHosts?: readonly string[] | undefined
}

/** Whether a host was named for plain http. Whoever is on the way reads along, so a page on https names none. */
const isNamed = (host: string, allowed: Allowed | undefined): boolean | undefined =>
  allowed?.plainHttpHosts?.includes(host) && globalThis.location?.protocol !== 'https:'

/** The origin of an address that the loader may open, as it is written there; undefined for any other. */
export function safeOrigin(value: unknown, allowed?: Allowed): string | undefined {
  const [, origin, , , host] = address.exec(`${value}`) ?? []
  // Where there is a URL parser, it knows more about hosts and ports.
  return globalThis.URL?.canParse?.(`${value}`) === false || (host && !isNamed(host, allowed))
    ? undefined
    : origin
}

/** The same, where any other is the merchant's mistake: throws `invalid_options`. */
export const originOf = (value: unknown, name: string, allowed?: Allowed): string =>
  safeOrigin(value, allowed) ?? invalid(name)

/** What goes into a query, under the service's names. */
type QueryParams = Readonly<Record<string, string | undefined>>

/** Query parameters as text; `accessToken` is never among them. */
const queryOf = (params: QueryParams = {}): string =>
  Object.entries(params)
    .map(([name, value]) =>
      value == null || name === 'accessToken'
        ? ''
        : // Half of a pair, as where a name was cut within an emoji, can't be encoded.
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
  /** As the loader's option. */
  plainHttpHosts?: readonly string[] | undefined
}

/**
 * The address of the widget page: `{widgetUrl}/widget/?accessToken=…` (section 1 of the interface). Needs nothing but the language.
 *
 * The token in it opens every order of the business (U9): keep the address out of logs, storage and the DOM.
 *
 * @throws WidgetError `invalid_options` for an address that is neither https nor http on loopback, or an empty token.
 */
export function buildWidgetUrl(parts: WidgetUrlParts): string {
  const given = own(parts)
  const { widgetUrl, accessToken, params } = given
  originOf(widgetUrl, 'widgetUrl', given)
  if (!accessToken || typeof accessToken !== 'string') invalid('accessToken')
  // Up to its query, without slashes at the end. Anchored: looking for them anywhere takes the square of their number.
  const [base] = /^[^?#]*[^?#/]/.exec(widgetUrl) ?? []
  return `${base}/widget/?accessToken=${encodeURIComponent(accessToken)}${queryOf(params)}`
}
