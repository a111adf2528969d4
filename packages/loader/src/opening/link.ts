/**
 * The link that opens a purchase: the companion's `/launch` with an id that this page has made. Nothing is fetched before it, and no token
 * enters the page. It carries what anybody may choose; everything else needs `POST /launch`.
 */
import { own, pageOf } from '../names.ts'
import type { Target } from '../opening.ts'
import type { Mode, RedirectPage } from '../types.ts'

const carried = ['product_id', 'locale']
/** Characters of an address that every server takes. */
const LONGEST = 2_000
/** How long a purchase that was opened early may be shown, in milliseconds: the companion keeps it for ten minutes. */
const EARLY = 540_000

/** The options that decide about the link, as they were given or as they were parsed. */
export interface LinkOptions {
  readonly companion?: string | undefined
  readonly widgetOrigin?: string | undefined
  readonly headers?: unknown
  readonly pageToken?: boolean | undefined
  readonly params?: Readonly<Record<string, string | undefined>> | undefined
  readonly locale?: string | undefined
  readonly redirectPage?: RedirectPage | undefined
}

/** The origin of each companion's widget, which the frame's permissions and the widget's messages are checked against. */
const learned = own<Record<string, string>>({})

/** Remembers what `POST /launch` has answered, so that the next opening goes by the link. */
export function learn(companion: string, widgetOrigin: string): void {
  learned[launchOf(companion).href] = widgetOrigin
}

const launchOf = (companion: string): URL =>
  new URL(`${companion.replace(/\/$/, '')}/launch`, pageOf().baseURI)

/** 128 random bits as 22 characters of base64url. */
export const randomId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .slice(0, 22)
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/**
 * The link of a purchase, or undefined where it has to be asked for: the companion answers links with an id only to pages of its own origin,
 * in a secure context.
 *
 * @param id The purchase to go on with; otherwise a new one.
 */
export function linkOf(
  options: LinkOptions,
  surface: Mode,
  early?: boolean,
  id?: string,
): Target | undefined {
  const { companion, widgetOrigin, headers, pageToken, params, locale, redirectPage = 'self' } = own(options)
  if (!companion || headers || pageToken || !globalThis.isSecureContext) return undefined
  try {
    const url = launchOf(companion)
    const { origin } = new URL(widgetOrigin ?? learned[url.href] ?? '')
    const purchaseId = id ?? randomId()
    const query = { ...params, locale, redirect_page: redirectPage, purchase: purchaseId, surface }
    const isCarried = Object.keys(params ?? {}).every((name) => carried.includes(name))
    for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.set(name, value)
    if (early) url.searchParams.set('preload', '1')
    if (url.origin !== globalThis.origin || !isCarried || url.href.length > LONGEST) return undefined
    const until = early ? Date.now() + EARLY : Infinity
    return { purchaseId, origin, url: url.href, byLink: true, until, shownUntil: until }
  } catch {
    // An address that is none: the second stage says so. No random numbers: it asks the companion.
    return undefined
  }
}
