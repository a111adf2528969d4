/**
 * `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. As a link it begins
 * a purchase, or goes on with the one that it names; with a ticket it goes on with the one that `POST /launch` began.
 */
import { isComplete } from '../../purchase/goOn.ts'
import { buildWidgetUrl } from '../../purchase/widgetUrl.ts'
import { Refusal, seeOther } from '../answer.ts'
import type { Ctx, Handler } from '../context.ts'
import { beginByLink } from '../link.ts'
import { checkTicketOpening } from '../ticketOpening.ts'

export const launchLink: Handler = async (c) => {
  const query = new URL(c.req.url).searchParams
  const ticket = query.get('ticket')
  const params = ticket === null ? await beginByLink(c, query) : await redeem(c, ticket)
  const { client, tokens } = c.var.services()
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, params))
}

async function redeem(c: Ctx, text: string): Promise<Record<string, string>> {
  const read = await c.var.services().tickets.read(c.var.url(), text)
  if (!read) throw new Refusal('forbidden', 'This link has ended. Begin again.')
  const { ticket, hasEnded } = read
  const { purchaseId, origin, shopper, params } = ticket
  await checkTicketOpening(c, ticket)
  if (origin !== null) {
    const caller = { shopper, formerly: [] }
    c.set('opening', { purchaseId, caller, hostOrigin: origin, retry: 'host' })
  }
  if (hasEnded) throw new Refusal('forbidden', 'This link has ended. Begin again.')
  // With the store away a ticket is as good as before.
  const record = await c.var.services().findPurchase(purchaseId)
  if (record && isComplete(record)) throw new Refusal('conflict', 'This purchase is complete.')
  return params
}
