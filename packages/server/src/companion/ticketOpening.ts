/** Who may open a ticket. */
import { type Caller, isTheirs } from '../purchase/shopper.ts'
import type { Ticket } from '../purchase/ticket.ts'
import { Refusal } from './answer.ts'
import { authoriseLink } from './authorise.ts'
import type { Ctx } from './context.ts'
import { originOf } from './guard.ts'
import { readNavigation } from './navigation.ts'

/**
 * A ticket is opened by the page that asked for it, or by nobody's page: an app, an address that was typed. Anybody can get a ticket of
 * their own and lead another shopper to it, who would pay for them. So a navigation that is not known to be the shop's must not have
 * another shopper's session. One of the ticket's own shopper may come from anywhere.
 *
 * @throws Refusal
 */
export async function checkTicketOpening(c: Ctx, ticket: Ticket): Promise<void> {
  const by = ledBy(c, ticket)
  if (by === 'the shop') return
  const caller = await sessionOf(c)
  const isOther = caller !== null && !isTheirs(caller, ticket)
  // The browser that an app opens may have a session of its own.
  if (by === 'nobody' ? !isOther || ticket.origin === null : caller !== null && !isOther) return
  throw new Refusal('forbidden', 'Only the page that asked for this ticket may open it.')
}

function ledBy(
  { req: { raw: request }, var: { url } }: Ctx,
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
async function sessionOf(c: Ctx): Promise<Caller | null> {
  if (!['cookie', 'authorization'].some((name) => c.req.raw.headers.has(name))) return null
  try {
    return await authoriseLink(c)
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'unauthorized' || error.code === 'forbidden_origin'))
      return null
    throw error
  }
}
