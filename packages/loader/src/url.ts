/**
 * Addresses, as text. Everything here runs in a bare JavaScript engine: it needs neither DOM nor `URL`, which React Native
 * has only in parts.
 */
import { widgetError } from './errors.ts'
import type { ReturnInfo, WidgetParams } from './types.ts'

/** https, or http on loopback; no user name, no control character, no backslash: what is left means what it looks like. */
const address =
  /^(https:\/\/[^\0-\x20\x7f/?#@\\]+|http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1]|[\w-]+\.localhost)(?::\d+)?)(?=[/?#]|$)[^\0-\x20\x7f\\]*$/i

/** The origin of an address that the loader may open. Throws `invalid_options` for any other. */
export function originOf(value: unknown, name: string): string {
  const origin = address.exec(value as string)?.[1]
  if (!origin) throw widgetError('invalid_options', `${name}: use an https address, or http on localhost.`)
  return origin.toLowerCase().replace(/:443$/, '')
}

/** Adds query parameters to an address. */
export function withQuery(url: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(params)
    .filter(([, value]) => value != null)
    .map((pair) => pair.map((part) => encodeURIComponent(`${part}`)).join('='))
    .join('&')
  return query ? url + (url.includes('?') ? '&' : '?') + query : url
}

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
export function buildWidgetUrl({ widgetUrl, accessToken, params }: WidgetUrlParts): string {
  originOf(widgetUrl, 'widgetUrl')
  if (typeof accessToken !== 'string' || !accessToken)
    throw widgetError('invalid_options', 'accessToken: pass the token as text.')
  return withQuery(
    `${widgetUrl.replace(/[?#].*|\/+$/g, '').replace(/\/+$/, '')}/widget/?accessToken=${encodeURIComponent(accessToken)}`,
    {
      ...params,
      accessToken: undefined,
    },
  )
}

/** What the service may add to a return address. It promises nothing (U19). */
const addition = /^(order_id|custom_id|fail_reason|type(?==\w+_))=?(.*)/s

interface Taken {
  /** Up to the query, to compare by. */
  base: string
  /** The merchant's own query parameters. */
  own: string[]
  /** What the service added. */
  added: Record<string, string>
  clean: string
}

/** Takes an address apart, however badly something was added to it: with a second `?`, with no `?` at all, or undecodable. */
function take(url: string): Taken {
  const [, base = '', query = '', rest = ''] = /^([^?&#]*)([^#]*)(.*)/s.exec(url) ?? []
  const own: string[] = []
  const added: Record<string, string> = {}
  for (const part of query.split(/[?&]+/)) {
    const [, name, value = ''] = addition.exec(part) ?? []
    if (name) added[name] = decode(value)
    else if (part) own.push(part)
  }
  return {
    base: base.replace(/^[^/]*\/\/[^/]*/, (origin) => origin.toLowerCase()).replace(/\/$/, ''),
    own,
    added,
    clean: base + (own.length > 0 ? `?${own.join('&')}` : '') + rest,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The merchant's return addresses, as they were given to the service. Any scheme: a webview may use its app's own. */
export interface ReturnAddresses {
  redirectUrl?: string
  failRedirectUrl?: string
}

/**
 * Whether an address is the return from a purchase, and what it says. For a webview's navigation delegate, and for the return
 * page. Needs nothing but the language. What an address says is a hint: ask the merchant's server.
 *
 * @returns null when addresses are given and this is neither of them.
 */
export function parseReturnUrl(
  url: string,
  { redirectUrl, failRedirectUrl }: ReturnAddresses = {},
): ReturnInfo | null {
  const { base, own, added, clean } = take(url)
  // Both addresses may have the same base: the one with more parameters of its own fits better.
  const fit = (expected: string | undefined): number => {
    const other = take(expected ?? '')
    return expected && other.base === base && other.own.every((part) => own.includes(part))
      ? 1 + other.own.length
      : 0
  }
  const better = fit(redirectUrl) - fit(failRedirectUrl)
  if ((redirectUrl || failRedirectUrl) && !better && !fit(redirectUrl)) return null
  const says = /^order_(?:(complete)|failed)$/.exec(added.type ?? '')
  const success = says ? says[1] : better > 0
  const decline = /\b40(0[0-5]|1[0-3])\b/.exec(added.fail_reason ?? '')
  return {
    status: success ? 'success' : says || better ? 'failure' : 'unknown',
    url: clean,
    ...(added.order_id && { orderId: added.order_id }),
    ...(added.custom_id && { customId: added.custom_id }),
    ...(decline && { declineCode: decline[0] }),
  }
}
