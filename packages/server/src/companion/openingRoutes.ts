/** The two ways to open the widget: `POST /token` for a page, `GET /launch` for a link or a webview. */
import type { LeasedToken } from '../tokenLease.ts'
import { buildWidgetUrl } from '../widgetUrl.ts'
import { orderFields } from '../wire.ts'
import { jsonText, Refusal, seeOther } from './answer.ts'
import type { Handler } from './context.ts'
import { checkJson } from './guard.ts'
import { paramsOf } from './shopper.ts'

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

/** `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. */
export const launch: Handler = async ({ request, shopper, client, tokens, allowsReturnTo }) => {
  const { searchParams } = new URL(request.url)
  const params: Record<string, string> = {}
  for (const field of orderFields) {
    const value = searchParams.get(field)
    if (value !== null) params[field] = value
  }
  for (const field of ['redirect_url', 'fail_redirect_url'] as const) {
    if (params[field] !== undefined && !allowsReturnTo(params[field])) {
      throw new Refusal('invalid_request', `${field} must be an address of an allowed origin.`)
    }
  }
  // Who pays is the session's business, never the link's.
  delete params.custom_id
  delete params.user_id
  const { accessToken } = await tokens.get()
  return seeOther(buildWidgetUrl(client.widgetUrl, accessToken, { ...params, ...paramsOf(shopper) }))
}
