/** `POST /token`: begins a purchase for a page, and gives what the loader needs to open the widget. */
import type { Begun } from '../../purchase/begin.ts'
import type { LeasedToken } from '../../token/leasedToken.ts'
import { type Answer, json, jsonText } from '../answer.ts'
import { readTokenRequest } from '../asked.ts'
import { begunOn } from '../begunOn.ts'
import type { Handler, RouteContext } from '../context.ts'
import { readJson } from '../guard.ts'
import type { LaunchGrant } from '../protocol.ts'

export const token: Handler = async (context) => {
  const { request, shopper, formerly, begin, url, allowsReturnTo, decidedBy, launchOnly, tokens, client } =
    context
  const asked = readTokenRequest(await readJson(request), decidedBy === 'page' ? allowsReturnTo : null)
  const hostOrigin = request.headers.get('origin')
  const begun = await begin({
    ...asked,
    request,
    shopper,
    formerly,
    hostOrigin,
    begunOn: begunOn(context),
    surface: hostOrigin === null ? 'launch' : asked.surface,
    openedBy: 'shopper',
    url: url(),
  })
  if (asked.launch || launchOnly) return grantLaunch(context, begun, hostOrigin)
  const beginning = beginningOf(await tokens.get())
  const rest = JSON.stringify({ widgetUrl: client.widgetUrl, ...begun })
  return jsonText(`${beginning},${rest.slice(1)}`)
}

/** The token never enters the page: the address that leads to the widget has a ticket for this purchase. */
async function grantLaunch(
  { url, tickets, client, shopper }: RouteContext,
  { purchaseId, params }: Begun,
  origin: string | null,
): Promise<Answer> {
  return json({
    purchaseId,
    launchUrl: `${url()}/launch?ticket=${await tickets.issue(url(), { params, origin, shopper })}`,
    widgetOrigin: new URL(client.widgetUrl).origin,
    params,
  } satisfies LaunchGrant)
}

/** What is the same for every shopper, as JSON without its closing brace: a token is handed out many times. */
const beginnings = new WeakMap<LeasedToken, string>()

function beginningOf(leased: LeasedToken): string {
  const known = beginnings.get(leased)
  if (known !== undefined) return known
  const { accessToken, expiresAt } = leased
  const beginning = JSON.stringify({ accessToken, expiresAt: expiresAt?.toISOString() ?? null }).slice(0, -1)
  beginnings.set(leased, beginning)
  return beginning
}
