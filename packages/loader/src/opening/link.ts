/**
 * The link that opens a purchase: the companion's `/launch` with an id that this page has generated. Nothing is fetched first, and no token
 * enters the page. It contains only what any visitor may choose; everything else needs `POST /launch`.
 */
import { nullProto, pageOf } from '../names.ts'
import type { Target } from '../opening.ts'
import type { Mode, SourceOptions, WidgetBehaviour } from '../types.ts'

const linkParams = ['product_id', 'locale']
/** Length of an address, in characters, that every server accepts. */
const MAX_URL_LENGTH = 2_000
/** How long a preloaded purchase may be shown: the companion keeps it for ten minutes. */
const PRELOADED_LINK_MS = 540_000

type Options = SourceOptions & WidgetBehaviour

/** Some of the options, as given or as parsed. */
export type Given<Name extends keyof Options> = { readonly [Each in Name]?: Options[Each] | undefined }

/** The options that determine the link. */
export type LinkOptions = Given<
  'companion' | 'widgetOrigin' | 'headers' | 'pageToken' | 'params' | 'locale' | 'redirectPage'
>

/** The widget's origin for each companion, against which the frame's permissions and the widget's messages are checked. */
const widgetOrigins = nullProto<Record<string, string>>({})

/** Remembers the widget's origin from an answer of `POST /launch`, so that the next opening uses the link. */
export function rememberWidgetOrigin(companion: string, widgetOrigin: string): void {
  widgetOrigins[launchOf(companion).href] = widgetOrigin
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
 * The link of a purchase, or undefined if the companion has to be asked for it: it answers links with an id only for pages of its own origin,
 * in a secure context.
 *
 * @param id The purchase to continue; by default a new one.
 */
export function linkOf(
  options: LinkOptions,
  surface: Mode,
  early?: boolean,
  id?: string,
): Target | undefined {
  const {
    companion,
    widgetOrigin,
    headers,
    pageToken,
    params,
    locale,
    redirectPage = 'self',
  } = nullProto(options)
  if (!companion || headers || pageToken || !globalThis.isSecureContext) return undefined
  // A request of the page can fail, which the shopper is told; a window or frame would show the browser's own error page.
  if (!navigator.onLine) return undefined
  try {
    const url = launchOf(companion)
    const { origin } = new URL(widgetOrigin ?? widgetOrigins[url.href] ?? '')
    const purchaseId = id ?? randomId()
    const preload = early ? '1' : undefined
    const own = { redirect_page: redirectPage, purchase: purchaseId, surface, preload }
    const hasOnlyLinkParams = Object.keys(params ?? {}).every((name) => linkParams.includes(name))
    for (const [name, value] of Object.entries({ ...params, locale, ...own }))
      if (value != null) url.searchParams.set(name, value)
    if (url.origin !== globalThis.origin || !hasOnlyLinkParams || url.href.length > MAX_URL_LENGTH)
      return undefined
    const until = early ? Date.now() + PRELOADED_LINK_MS : Infinity
    return { purchaseId, origin, url: url.href, byLink: true, until, shownUntil: until }
  } catch {
    // An invalid address, which the second stage reports; or no random numbers, in which case it asks the companion.
    return undefined
  }
}
