/**
 * The link that opens a purchase: the companion's `/launch` with an id that this page has made. Nothing is fetched before it, and no token
 * enters the page. It carries what anybody may choose; every other wish needs `POST /launch`.
 */
import { own } from '../own.ts'
import type { Target } from '../run.ts'
import type { Settings } from '../settings.ts'
import type { Mode } from '../types.ts'
import { routeOf, withParams } from '../url.ts'
import { randomId } from './params.ts'

const carried = ['product_id', 'locale']
/** Characters of an address that every server takes. */
const LONGEST = 2_000
/** How long a purchase that was opened early may be shown, in milliseconds: the companion keeps it for ten minutes. */
const EARLY = 540_000

/** The origin of each companion's widget, which the frame's permissions and the widget's messages are checked against. */
const learned = own<Record<string, string>>({})

/** Remembers what `POST /launch` has said, so that the next opening goes by the link. */
export function learn(companion: string, widgetOrigin: string): void {
  learned[companion] = widgetOrigin
}

/**
 * The link of a purchase, or undefined where it has to be asked for: the companion answers links with an id only to pages of its own origin,
 * in a secure context.
 *
 * @param id The purchase to go on with; otherwise a new one.
 */
export function linkOf(
  settings: Settings,
  mode: Mode,
  early: boolean,
  id: string = randomId(),
): Target | undefined {
  const { companion, headers, pageToken, params, redirectPage } = settings
  const origin = settings.widgetOrigin ?? (companion && learned[companion])
  if (!origin || !companion || headers || pageToken || !isSecureContext) return undefined
  if (new URL(companion).origin !== globalThis.origin) return undefined
  if (!Object.keys(params).every((name) => carried.includes(name))) return undefined
  const url = withParams(routeOf(companion, 'launch'), {
    ...params,
    redirect_page: redirectPage,
    purchase: id,
    surface: mode,
    ...(early && { preload: '1' }),
  })
  const until = early ? Date.now() + EARLY : Infinity
  return url.length > LONGEST
    ? undefined
    : { purchaseId: id, origin, url, byLink: true, until, shownUntil: until }
}
