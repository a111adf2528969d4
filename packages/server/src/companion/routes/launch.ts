/**
 * `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. As a link it begins
 * a purchase; with a ticket it goes on with the one that `POST /token` began.
 */
import { buildWidgetUrl } from '../../purchase/widgetUrl.ts'
import { Refusal, seeOther } from '../answer.ts'
import { readLink } from '../asked.ts'
import { begunOn } from '../begunOn.ts'
import type { OpenHandler, Visit } from '../context.ts'
import { checkTicketOpening } from '../navigation.ts'
import { openedBy } from '../openedBy.ts'

export const launch: OpenHandler = async (visit) => {
  const query = new URL(visit.request.url).searchParams
  const ticket = query.get('ticket')
  const params = ticket === null ? await begin(visit, query) : await redeem(visit, ticket)
  const { client, tokens } = visit.services()
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, params))
}

async function begin(visit: Visit, query: URLSearchParams): Promise<Record<string, string>> {
  const { authorise, services, request, url } = visit
  const asker = await authorise()
  const asked = readLink(query)
  const begun = await services().begin({
    ...asked,
    ...asker,
    request,
    returnUrl: null,
    failReturnUrl: null,
    surface: 'launch',
    openedBy: openedBy(request),
    hostOrigin: null,
    begunOn: begunOn(visit),
    url: url(),
  })
  return begun.params
}

async function redeem(visit: Visit, text: string): Promise<Record<string, string>> {
  const ticket = await visit.services().tickets.read(visit.url(), text)
  if (!ticket) throw new Refusal('forbidden', 'This link has ended. Begin again.')
  await checkTicketOpening(visit, ticket)
  return ticket.params
}
