/**
 * `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. As a link it begins
 * a purchase; with a ticket it goes on with the one that `POST /launch` began.
 */
import { buildWidgetUrl } from '../../purchase/widgetUrl.ts'
import { Refusal, seeOther } from '../answer.ts'
import { readLink } from '../asked.ts'
import { authoriseLink } from '../authorise.ts'
import { begunOn } from '../begunOn.ts'
import type { Ctx, Handler } from '../context.ts'
import { openedBy } from '../openedBy.ts'
import { checkTicketOpening } from '../ticketOpening.ts'

export const launchLink: Handler = async (c) => {
  const query = new URL(c.req.url).searchParams
  const ticket = query.get('ticket')
  const params = ticket === null ? await begin(c, query) : await redeem(c, ticket)
  const { client, tokens } = c.var.services()
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, params))
}

async function begin(c: Ctx, query: URLSearchParams): Promise<Record<string, string>> {
  const asker = await authoriseLink(c)
  const request = c.req.raw
  const begun = await c.var.services().begin({
    ...readLink(query),
    ...asker,
    request,
    returnUrl: null,
    failReturnUrl: null,
    surface: 'launch',
    openedBy: openedBy(request),
    hostOrigin: null,
    begunOn: begunOn(c),
    url: c.var.url(),
  })
  return begun.params
}

async function redeem(c: Ctx, text: string): Promise<Record<string, string>> {
  const ticket = await c.var.services().tickets.read(c.var.url(), text)
  if (!ticket) throw new Refusal('forbidden', 'This link has ended. Begin again.')
  await checkTicketOpening(c, ticket)
  return ticket.params
}
