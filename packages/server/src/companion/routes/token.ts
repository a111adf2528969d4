/**
 * `POST /launch` and `POST /token`: begin a purchase for a page. The first gives an address that leads to the widget, the second the token
 * itself.
 */
import type { Begun } from '../../purchase/begin.ts'
import type { LeasedToken } from '../../token/leasedToken.ts'
import { type Answer, json, jsonText } from '../answer.ts'
import { type AskedByPage, readPageRequest } from '../asked.ts'
import { begunOn } from '../begunOn.ts'
import type { Handler, RouteContext } from '../context.ts'
import { readJson } from '../guard.ts'
import type { LaunchGrant } from '../protocol.ts'

/** `POST /launch`: no token enters the page. */
export const launchGrant: Handler = async (context) => {
  const { begun, hostOrigin } = await beginForPage(context, await readAsked(context))
  return grantLaunch(context, begun, hostOrigin)
}

export const token: Handler = async (context) => {
  const { launchOnly, tokens, client } = context
  const asked = await readAsked(context)
  const { begun, hostOrigin } = await beginForPage(context, asked)
  if (asked.launch || launchOnly) return grantLaunch(context, begun, hostOrigin)
  const beginning = beginningOf(await tokens.get())
  const rest = JSON.stringify({ widgetUrl: client.widgetUrl, ...begun })
  return jsonText(`${beginning},${rest.slice(1)}`)
}

const readAsked = async ({ request, decidedBy, allowsReturnTo }: RouteContext): Promise<AskedByPage> =>
  readPageRequest(await readJson(request), decidedBy === 'page' ? allowsReturnTo : null)

async function beginForPage(
  context: RouteContext,
  asked: AskedByPage,
): Promise<{ begun: Begun; hostOrigin: string | null }> {
  const { request, shopper, formerly, begin, url } = context
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
  return { begun, hostOrigin }
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
