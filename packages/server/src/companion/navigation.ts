/** Who may open `/launch`: its answer has the token in `Location`, so it is for a navigation that somebody has made, and for nobody's script. */
import { type Asker, isTheirs } from '../purchase/shopper.ts'
import type { Ticket } from '../purchase/ticket.ts'
import { Refusal } from './answer.ts'
import type { Visit } from './context.ts'
import { checkFetchSite, type Origins, originOf } from './guard.ts'

/** Where a browser may show what a navigation leads to. */
const places: readonly unknown[] = ['document', 'iframe', 'frame', 'embed', 'object', 'fencedframe']

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
function readNavigation({ headers }: Request): Navigation {
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
 * A ticket is opened by the page that asked for it, or by nobody's page: an app, an address that was typed. Anybody can get a ticket of
 * their own and lead another shopper to it, who would pay for them. So a navigation that is not known to be the shop's must not have
 * another shopper's session. One of the ticket's own shopper may come from anywhere.
 *
 * @throws Refusal
 */
export async function checkTicketOpening(visit: Visit, ticket: Ticket): Promise<void> {
  const by = ledBy(visit, ticket)
  if (by === 'the shop') return
  const asker = await sessionOf(visit)
  const isOther = asker !== null && !isTheirs(asker, ticket)
  // The browser that an app opens may have a session of its own.
  if (by === 'nobody' ? !isOther || ticket.origin === null : asker !== null && !isOther) return
  throw new Refusal('forbidden', 'Only the page that asked for this ticket may open it.')
}

function ledBy(
  { request, url }: Pick<Visit, 'request' | 'url'>,
  { origin }: Pick<Ticket, 'origin'>,
): 'the shop' | 'nobody' | 'another page' {
  const { site, passedOn } = readNavigation(request)
  const referer = originOf(request.headers.get('referer') ?? '')
  if (/^https?:/.test(referer)) {
    return referer === origin || referer === originOf(url()) ? 'the shop' : 'another page'
  }
  if (site === 'same-origin') return passedOn ? 'nobody' : 'the shop'
  // A browser without fetch metadata names the page, which the loader asks for; an app has none.
  return site === 'none' || (site === null && origin === null) ? 'nobody' : 'another page'
}

/** The shopper whose session the request has. Null without one: a frame may have no cookies. */
async function sessionOf({ request, authorise }: Visit): Promise<Asker | null> {
  if (!['cookie', 'authorization'].some((name) => request.headers.has(name))) return null
  try {
    return await authorise()
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'forbidden_origin'))
      return null
    throw error
  }
}
