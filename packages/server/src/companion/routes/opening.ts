/** The two ways to open the widget: `POST /token` for a page, `GET /launch` for a link or a webview. */
import type { LeasedToken } from '../../token/tokenLease.ts'
import { buildWidgetUrl } from '../../purchase/widgetUrl.ts'
import { jsonText, Refusal, seeOther } from '../answer.ts'
import type { Handler, RouteContext } from '../context.ts'
import { checkJson } from '../guard.ts'
import { paramsOf } from '../shopper.ts'

/** What is the same for every shopper, as JSON without its closing brace: a token is handed out many times. */
const beginnings = new WeakMap<LeasedToken, string>()

function beginningOf(token: LeasedToken): string {
  const known = beginnings.get(token)
  if (known !== undefined) return known
  const { accessToken, expiresAt } = token
  const beginning = JSON.stringify({ accessToken, expiresAt: expiresAt?.toISOString() ?? null }).slice(0, -1)
  beginnings.set(token, beginning)
  return beginning
}

/** `POST /token`: what the loader needs to open the widget for this shopper. */
export const token: Handler = async ({ request, shopper, client, tokens }) => {
  checkJson(request)
  const beginning = beginningOf(await tokens.get())
  const rest = JSON.stringify({ widgetUrl: client.widgetUrl, params: paramsOf(shopper) })
  return jsonText(`${beginning},${rest.slice(1)}`)
}

/**
 * What a link may choose. Anybody can write a link, so price, wallet, state and person are not among it; whatever else it
 * carries, such as tracking parameters, is ignored.
 */
const linkFields = ['product_id', 'locale', 'redirect_url', 'fail_redirect_url', 'redirect_page'] as const

/** `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. */
export const launch: Handler = async ({ request, shopper, client, tokens, allowsReturnTo }) => {
  const chosen = readLink(new URL(request.url).searchParams, allowsReturnTo)
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, { ...chosen, ...paramsOf(shopper) }))
}

function readLink(
  query: URLSearchParams,
  allowsReturnTo: RouteContext['allowsReturnTo'],
): Partial<Record<(typeof linkFields)[number], string>> {
  const chosen: ReturnType<typeof readLink> = {}
  for (const field of linkFields) {
    const value = query.get(field)
    if (value !== null) chosen[field] = value
  }
  for (const field of ['redirect_url', 'fail_redirect_url'] as const) {
    if (chosen[field] !== undefined && !allowsReturnTo(chosen[field])) {
      throw new Refusal('invalid_request', `${field} must be an address of an allowed origin.`)
    }
  }
  if (!['new', 'self', undefined].includes(chosen.redirect_page)) {
    throw new Refusal('invalid_request', 'redirect_page must be new or self.')
  }
  return chosen
}
