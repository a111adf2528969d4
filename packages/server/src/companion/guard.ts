/** Checks a request's origin, and what the browser reports about a navigation. */
import type { Asked } from '../purchase/begin.ts'
import { withoutReturned } from '../purchase/carrier.ts'
import type { OpenedBy } from '../purchase/purchase.ts'
import { Refusal } from './answer.ts'
import type { Ctx } from './context.ts'
import { originOf, type Place, webOrigins } from './place.ts'

type Origins = Pick<Place, 'shops' | 'origin'>

/**
 * A POST must come from a page that the merchant allows: exact `Origin`, and CORS headers for no other. An app has neither origin
 * nor cookies; its session is an `Authorization` header, which a page of another site cannot send.
 */
export function checkOrigin({ headers }: Request, { shops, origin: own }: Origins): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  // A browser never reports that for a page of the companion's own origin: one of the two headers is not from the browser.
  const contradicts = (site === 'same-site' || site === 'cross-site') && origin === own
  if (origin === null ? isApp(headers) : shops.includes(origin) && !contradicts) return
  throw new Refusal(
    'forbidden_origin',
    'This page may not call the companion. Add its origin to allowedOrigins if it is yours.',
  )
}

/**
 * Browsers send `Origin` with every POST, also to and from plain http, and `Sec-Fetch-Site` wherever they send fetch metadata.
 * `Sec-Fetch-Mode` alone is the `fetch` of Node.
 */
function isApp(headers: Headers): boolean {
  const ofBrowsers = ['origin', 'cookie', 'sec-fetch-site', 'sec-fetch-dest']
  return headers.has('authorization') && !ofBrowsers.some((name) => headers.has(name))
}

/**
 * A read with the shopper's session must not be started by a page of another site, unless it is the merchant's. Clients without
 * fetch metadata are admitted.
 */
export function checkFetchSite({ headers }: Request, { shops }: Pick<Place, 'shops'>): void {
  const origin = headers.get('origin')
  const isForeign = origin === null ? headers.get('sec-fetch-site') === 'cross-site' : !shops.includes(origin)
  if (isForeign) throw new Refusal('forbidden_origin', 'Another site may not call the companion.')
}

/** Where a browser may show the result of a navigation. */
const frames: readonly string[] = ['iframe', 'frame', 'embed', 'object', 'fencedframe']
const places: readonly string[] = ['document', ...frames]

/** What a browser reports about a navigation; null where it does not. */
interface Navigation {
  readonly site: string | null
  readonly mode: string | null
  readonly place: string | null
  /** Passed on by a service worker of the shop's, which hides the place, and in Firefox and WebKit also the site. */
  readonly passedOn: boolean
}

/**
 * The answer to a link has the token in `Location`: it is for a user's navigation, never for a script.
 *
 * @throws Refusal for a request that is not a navigation (a fetch, an image, a script), and for a prefetch.
 */
export function readNavigation({ headers }: Request): Navigation {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name))
  if (purposes.some((purpose) => /prefetch|preview/i.test(purpose ?? ''))) {
    throw new Refusal('forbidden', 'No purchase is created before the link is followed.')
  }
  const site = headers.get('sec-fetch-site')
  const place = headers.get('sec-fetch-dest')
  // A lone `Sec-Fetch-Mode` comes from Node's `fetch`, never from a browser.
  const mode = site === null && place === null ? null : headers.get('sec-fetch-mode')
  // Firefox passes a navigation on as `same-origin`, and shows no script its target on another origin.
  const passedOn =
    place === 'empty' && (mode === 'navigate' || (mode === 'same-origin' && site === 'same-origin'))
  const isNavigation = (mode ?? 'navigate') === 'navigate' && places.includes(place ?? 'document')
  if (!isNavigation && !passedOn) {
    throw new Refusal(
      'forbidden',
      'Open this address in a window or a frame. No script may read where it leads.',
    )
  }
  return { site, mode, place, passedOn }
}

/**
 * Whether the caller has no session and is no browser, such as a link previewer: a shop that gives every caller a session would create a
 * purchase for it. A browser without fetch metadata has visited the shop's pages, and has a cookie.
 */
const isMachine = (headers: Headers): boolean =>
  !['sec-fetch-mode', 'cookie', 'authorization'].some((name) => headers.has(name))

/**
 * Another site may send the shopper here, in a window of its own. It must not frame the answer, since the shopper would not see
 * whose purchase it is. Nor may another host of the same site, unless the merchant has named pages elsewhere: browsers do not report
 * which page frames it.
 */
export function checkNavigation(request: Request, { shops, origin: own }: Origins): void {
  const { site, mode, place } = readNavigation(request)
  if (isMachine(request.headers)) throw new Refusal('unauthorized', 'Sign in first.')
  if (mode === 'navigate' && (place ?? 'document') === 'document') return
  checkFetchSite(request, { shops })
  if (site !== 'same-site' || shops.some((origin) => origin !== own)) return
  throw new Refusal('forbidden_origin', 'Another host may not show this in a frame.')
}

/**
 * Whether a page of the companion's own origin started the navigation, in a secure context: browsers send fetch metadata in no other. A
 * navigation that a service worker passes on may come from any site, unless the page is named.
 */
export function isByOwnPage(request: Request, own: string): boolean {
  const { site, passedOn } = readNavigation(request)
  return site === 'same-origin' && (!passedOn || refererOf(request) === own)
}

/** The origin of the page that a request names in `Referer`; empty without one. */
export const refererOf = ({ headers }: Request): string => originOf(headers.get('referer') ?? '')

/** Whether the answer is shown inside another page. */
export const isFramed = ({ headers }: Request): boolean =>
  frames.includes(headers.get('sec-fetch-dest') ?? '')

/**
 * Who opened the link, as far as the browser reports it. `Sec-Fetch-User` shows that a click or a key began the navigation: that distinguishes a
 * link in web mail from a page that opens links by itself, but not from one that opens several for each click. Only `same-origin` and `none`
 * (typed addresses, mail programs) cannot come from another site.
 */
export function openedBy(request: Request, own: string): OpenedBy {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'none' || isByOwnPage(request, own)) return 'shopper'
  return site === 'cross-site' && request.headers.get('sec-fetch-user') !== '?1' ? 'other_site' : 'link'
}

const MAX_REFERER_LENGTH = 2_000

/** The page to which a declined shopper returns: the `Referer`, if it is a page of an allowed origin; else the shop's front page. */
function shopPage(request: Request, { shops, url }: Pick<Place, 'shops' | 'url'>): string {
  const pages = webOrigins(shops)
  const referer = request.headers.get('referer') ?? ''
  const isShops = referer.length <= MAX_REFERER_LENGTH && pages.includes(originOf(referer))
  const host = pages.find((origin) => origin === request.headers.get('origin'))
  return isShops ? withoutReturned(referer) : `${host ?? pages[0] ?? originOf(url)}/`
}

/** The fields of a new purchase that depend on the request, from a page or a link. */
export function requestFields(c: Ctx): Pick<Asked, 'request' | 'shopPage' | 'url'> {
  const place = c.get('place')()
  return { request: c.req.raw, shopPage: shopPage(c.req.raw, place), url: place.url }
}
