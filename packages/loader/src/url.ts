/**
 * Addresses, as text. Everything here runs in a bare JavaScript engine: it needs neither DOM nor `URL`, which React Native
 * has only in parts.
 */
import { invalid } from './errors.ts'
import { own } from './own.ts'

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

/** What goes into a query, under the service's names. */
type QueryParams = Readonly<Record<string, string | undefined>>

/** Query parameters as text; `accessToken` is never among them. */
const queryOf = (params: QueryParams = {}): string =>
  Object.entries(params)
    .map(([name, value]) =>
      value == null || name === 'accessToken'
        ? ''
        : `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    )
    .join('')

export const withParams = (url: string, params: QueryParams): string =>
  url + queryOf(params).replace('&', url.includes('?') ? '&' : '?')

export interface WidgetUrlParts {
  /** Address of the widget page, without `/widget/`. https, or http on loopback. */
  widgetUrl: string
  accessToken: string
  /** Query parameters: the order's fields of section 2.2, and any other (U10). `accessToken` among them is ignored. */
  params?: QueryParams
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
