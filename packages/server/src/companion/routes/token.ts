/**
 * `POST /launch` and `POST /token`: begin a purchase for a page. The first gives an address that leads to the widget, the second the token
 * itself.
 */
import type { Begun } from '../../purchase/begin.ts'
import { json, Refusal } from '../answer.ts'
import { type AskedByPage, readPageRequest } from '../asked.ts'
import type { Ctx, Guard, Handler } from '../context.ts'
import { begunOn } from '../guard.ts'
import { originOf } from '../place.ts'

/** What `POST /token` gives, where the companion has `pageToken: true`: the token is in the page. */
export interface TokenGrant {
  purchaseId: string
  accessToken: string
  widgetUrl: string
  /** ISO 8601; null for a token that never ends. */
  expiresAt: string | null
  /** Every parameter of the widget's address but the token: the page adds only `locale`. */
  params: Record<string, string>
}

/** What `POST /launch` gives. */
export interface LaunchGrant {
  purchaseId: string
  /** `{url}/launch?ticket=…`: one minute, this one purchase, any number of times, needs no session. 303 leads to the widget. */
  launchUrl: string
  widgetOrigin: string
  params: Record<string, string>
}

/** `POST /launch`: no token enters the page. */
export const launchGrant: Handler = async (c) => {
  const begun = await beginForPage(c, readAsked(c))
  // A ticket that could not be opened is not issued: the page learns why at once.
  await c.var.services().tokens.get()
  return grantLaunch(c, begun)
}

/** `POST /token`: only where the merchant has said so. */
export const pageTokenOnly: Guard = async (c, next) => {
  if (!c.var.services().pageToken) {
    throw new Refusal(
      'page_token_disabled',
      'This companion gives no token to pages: open the widget by POST /launch, or set pageToken: true.',
    )
  }
  await next()
}

export const token: Handler = async (c) => {
  const { tokens, client } = c.var.services()
  const begun = await beginForPage(c, readAsked(c))
  const { accessToken, expiresAt } = await tokens.get()
  return json({
    accessToken,
    expiresAt: expiresAt?.toISOString() ?? null,
    widgetUrl: client.widgetUrl,
    ...begun,
  } satisfies TokenGrant)
}

function readAsked({ var: { body, place, services } }: Ctx): AskedByPage {
  const allows = (address: string): boolean => place().shops.includes(originOf(address))
  return readPageRequest(body, services().decidedBy === 'page' ? allows : null)
}

/** Null for an app, which has none. */
const originOfPage = ({ req }: Ctx): string | null => req.header('origin') ?? null

function beginForPage(c: Ctx, asked: AskedByPage): Promise<Begun> {
  const hostOrigin = originOfPage(c)
  return c.var.services().begin({
    ...asked,
    ...c.var.caller,
    id: null,
    mayChooseAmount: true,
    request: c.req.raw,
    hostOrigin,
    begunOn: begunOn(c.req.raw, c.var.place()),
    surface: hostOrigin === null ? 'launch' : asked.surface,
    openedBy: 'shopper',
    url: c.var.place().url,
  })
}

/** The token never enters the page: the address that leads to the widget has a ticket for this purchase. */
async function grantLaunch(c: Ctx, { purchaseId, params }: Begun): Promise<Response> {
  const { caller, place, services } = c.var
  const { tickets, client } = services()
  const { url } = place()
  const ticket = await tickets.issue(url, {
    purchaseId,
    params,
    origin: originOfPage(c),
    shopper: caller.shopper,
  })
  return json({
    purchaseId,
    launchUrl: `${url}/launch?ticket=${ticket}`,
    widgetOrigin: new URL(client.widgetUrl).origin,
    params,
  } satisfies LaunchGrant)
}
