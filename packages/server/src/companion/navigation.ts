/**
 * What a browser says of a navigation, and who may open `/launch`: its answer has the token in `Location`, so it is for a navigation that
 * somebody has made, and for nobody's script.
 */
import { withoutReturned } from '../purchase/carrier.ts'
import type { OpenedBy } from '../purchase/purchase.ts'
import { Refusal } from './answer.ts'
import type { Ctx } from './context.ts'
import { checkFetchSite, type Origins, originOf, webOrigins } from './guard.ts'

/** Where a browser may show what a navigation leads to. */
const frames: readonly string[] = ['iframe', 'frame', 'embed', 'object', 'fencedframe']
const places: readonly string[] = ['document', ...frames]

/** What a browser says of a navigation; null for what it does not say. */
interface Navigation {
  readonly site: string | null
  readonly mode: string | null
  readonly place: string | null
  /** By a service worker of the shop's, which hides the place, and in Firefox and WebKit also the site. */
  readonly passedOn: boolean
}

/**
 * Reads what the browser says, once.
 *
 * @throws Refusal for a request that is no navigation (a fetch, an image, a script), and for one that nobody has made yet.
 */
export function readNavigation({ headers }: Request): Navigation {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers.get(name))
  if (purposes.some((purpose) => /prefetch|preview/i.test(purpose ?? ''))) {
    throw new Refusal('forbidden', 'Nothing is begun before somebody follows the link.')
  }
  const site = headers.get('sec-fetch-site')
  const place = headers.get('sec-fetch-dest')
  // Alone it is the `fetch` of Node, and no browser's.
  const mode = site === null && place === null ? null : headers.get('sec-fetch-mode')
  // Firefox passes a navigation on as `same-origin`, and shows no script what that leads to on another origin.
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
 * Whoever has no session and is no browser, such as a maker of link previews: a shop that gives everybody a session would begin a
 * purchase for it. A browser without fetch metadata has been on the shop's pages, and has a cookie.
 */
const isMachine = (headers: Headers): boolean =>
  !['sec-fetch-mode', 'cookie', 'authorization'].some((name) => headers.has(name))

/**
 * Another site may send the shopper here, in a window of its own. It may not frame the answer, where the shopper would not see
 * whose purchase it is. Nor may another host of the same site, unless the merchant has named pages elsewhere: which page frames it
 * is not said.
 */
export function checkNavigation(request: Request, { allowed, own }: Origins): void {
  const { site, mode, place } = readNavigation(request)
  if (isMachine(request.headers)) throw new Refusal('unauthorized', 'Sign in first.')
  if (mode === 'navigate' && (place ?? 'document') === 'document') return
  checkFetchSite(request, allowed)
  if (site !== 'same-site' || allowed.some((origin) => origin !== own())) return
  throw new Refusal('forbidden_origin', 'Another host may not show this in a frame.')
}

/**
 * Whether a page of the companion's own origin has made the navigation, in a secure context: browsers send fetch metadata in no other. What
 * a service worker passes on may have been made by any site, unless the page is named.
 */
export function isByOwnPage(request: Request, own: string): boolean {
  const { site, passedOn } = readNavigation(request)
  return site === 'same-origin' && (!passedOn || originOf(request.headers.get('referer') ?? '') === own)
}

/** Whether the answer is shown inside of another page. */
export const isFramed = ({ headers }: Request): boolean =>
  frames.includes(headers.get('sec-fetch-dest') ?? '')

/**
 * Who opened the link, as far as the browser says. It says with `Sec-Fetch-User` that a click or a key began a navigation: that tells a link
 * in web mail from a page that opens links by itself, and not from one that opens several for each click. Only `same-origin` and `none`
 * (typed addresses, mail programs) are nobody else's.
 */
export function openedBy(request: Request, own: string): OpenedBy {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'none' || isByOwnPage(request, own)) return 'shopper'
  return site === 'cross-site' && request.headers.get('sec-fetch-user') !== '?1' ? 'other_site' : 'link'
}

const LONGEST_REFERER = 2_000

/** The merchant's page where a purchase is begun, which a declined shopper goes back to: the `Referer`, where it is a page of an allowed origin; else the front page of the shop. */
export function begunOn({ req: { raw: request }, var: { origins, url } }: Ctx): string {
  const shops = webOrigins(origins())
  const referer = request.headers.get('referer') ?? ''
  const isShops = referer.length <= LONGEST_REFERER && shops.includes(originOf(referer))
  const host = shops.find((origin) => origin === request.headers.get('origin'))
  return isShops ? withoutReturned(referer) : new URL('/', host ?? shops[0] ?? url()).href
}
