/**
 * `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. As a link it creates
 * a purchase, or continues the one that it names; with a ticket it continues the one that `POST /launch` created.
 */

import { buildWidgetUrl, widgetParams } from '../../purchase/carrier.ts'
import type { PurchaseRecord } from '../../purchase/purchase.ts'
import { isTheirs } from '../../purchase/shopper.ts'
import type { Ticket } from '../../purchase/ticket.ts'
import { Refusal, seeOther } from '../answer.ts'
import { type AskedById, readById, readLink } from '../asked.ts'
import { authorise, sessionOf } from '../authorise.ts'
import type { Ctx, Handler } from '../context.ts'
import { isByOwnPage, openedBy, readNavigation, refererOf, requestFields } from '../guard.ts'

export const launchLink: Handler = async (c) => {
  const query = new URL(c.req.url).searchParams
  const ticket = query.get('ticket')
  const params = ticket === null ? await beginByLink(c, query) : await redeem(c, ticket)
  const { client, tokens } = c.get('services')()
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, params))
}

async function redeem(c: Ctx, text: string): Promise<Record<string, string>> {
  const read = await c.get('services')().tickets.read(c.get('place')().url, text)
  if (!read) throw hasEnded()
  const { ticket } = read
  const { purchaseId, origin, shopper, params } = ticket
  await checkTicketOpening(c, ticket)
  c.set('caller', { shopper, formerly: [] })
  if (origin !== null) c.set('opening', { purchaseId, hostOrigin: origin, retry: 'host' })
  if (read.hasEnded) throw hasEnded()
  // If the store is unavailable, the ticket is accepted without this check.
  const record = await c.get('services')().findPurchase(purchaseId)
  if (record) refuseComplete(record)
  return params
}

const hasEnded = (): Refusal => new Refusal('forbidden', 'This link has ended. Begin again.')

function refuseComplete({ claimedBy, orders }: PurchaseRecord): void {
  const isComplete = claimedBy !== null || orders.some(({ type }) => type === 'order_complete')
  if (isComplete) throw new Refusal('conflict', 'This purchase is complete.')
}

/** Creates a purchase by a link, or continues the one that it names. Returns the widget's parameters. */
async function beginByLink(c: Ctx, query: URLSearchParams): Promise<Record<string, string>> {
  const { origin } = c.get('place')()
  const isOwn = isByOwnPage(c.req.raw, origin)
  // A refusal, of `authorise` too, is kept for the page that created the id, which is of the companion's own origin.
  const named = isOwn ? readById(query) : null
  if (named) c.set('opening', { purchaseId: named.id, hostOrigin: origin, retry: 'address' })
  await authorise(c, null)
  const byId = named ?? readById(query)
  return byId === null ? begin(c, query, null) : openById(c, query, byId, isOwn)
}

async function openById(
  c: Ctx,
  query: URLSearchParams,
  byId: AskedById,
  isOwn: boolean,
): Promise<Record<string, string>> {
  const { findPurchase, seen } = c.get('services')()
  const stored = await findPurchase(byId.id)
  if (stored) return goOn(c, stored, byId)
  if (!isOwn) throw new Refusal('forbidden', 'Only a page of the shop may begin a purchase by its id.')
  // Undefined while the store is unavailable: an earlier purchase might be another shopper's, or complete.
  if (seen.has(byId.id) && stored === undefined) {
    throw new Refusal('service_unavailable', 'The shop cannot be reached at the moment. Try again soon.')
  }
  seen.set(byId.id, true)
  const params = await begin(c, query, byId)
  // Of concurrent requests, one has created it.
  const winner = stored === undefined ? undefined : await findPurchase(byId.id)
  return winner ? goOn(c, winner, byId) : params
}

async function goOn(c: Ctx, record: PurchaseRecord, { preload }: AskedById): Promise<Record<string, string>> {
  const { store, now } = c.get('services')()
  if (!isTheirs(c.get('caller'), record.purchase)) {
    throw new Refusal('forbidden', 'This purchase cannot be opened. Begin again.')
  }
  refuseComplete(record)
  if (now() >= record.purchase.validUntil) throw hasEnded()
  if (record.preloadedUntil !== null && !preload) await store.purchases.open(record.purchase)
  // Whatever is requested now, the stored purchase wins.
  return widgetParams(record.purchase)
}

async function begin(
  c: Ctx,
  query: URLSearchParams,
  byId: AskedById | null,
): Promise<Record<string, string>> {
  const { begin, options } = c.get('services')()
  const { origin } = c.get('place')()
  const created = await begin({
    ...readLink(query, options.linkParams ?? []),
    ...c.get('caller'),
    ...requestFields(c),
    id: byId?.id ?? null,
    preload: byId?.preload ?? false,
    mayChooseAmount: false,
    returnUrl: null,
    failReturnUrl: null,
    surface: byId?.surface ?? 'launch',
    openedBy: openedBy(c.req.raw, origin),
    hostOrigin: byId && origin,
  })
  return created.params
}

/**
 * A ticket may be opened by the page that requested it, or without a page: by an app, or as a typed address. Anyone can get a ticket of
 * their own and send it to another shopper, who would pay for them. So a navigation that is not known to be the shop's must not have
 * another shopper's session. The ticket's own shopper may come from anywhere.
 *
 * @throws Refusal
 */
async function checkTicketOpening(c: Ctx, ticket: Ticket): Promise<void> {
  const by = initiatorOf(c, ticket)
  if (by === 'the shop') return
  // A frame may send no cookies.
  const mayHaveSession = ['cookie', 'authorization'].some((name) => c.req.raw.headers.has(name))
  const caller = mayHaveSession ? await sessionOf(c, null) : null
  const isOther = caller !== null && !isTheirs(caller, ticket)
  // The browser that an app opens may have a session of its own.
  if (by === 'nobody' ? !isOther || ticket.origin === null : caller !== null && !isOther) return
  throw new Refusal('forbidden', 'Only the page that asked for this ticket may open it.')
}

function initiatorOf(c: Ctx, { origin }: Pick<Ticket, 'origin'>): 'the shop' | 'nobody' | 'another page' {
  const { site, passedOn } = readNavigation(c.req.raw)
  const referer = refererOf(c.req.raw)
  if (/^https?:/.test(referer)) {
    return referer === origin || referer === c.get('place')().origin ? 'the shop' : 'another page'
  }
  if (site === 'same-origin') return passedOn ? 'nobody' : 'the shop'
  // A browser without fetch metadata names the page, since the loader makes it do so; an app has none.
  return site === 'none' || (site === null && origin === null) ? 'nobody' : 'another page'
}
