/** The two ways to open the widget: `POST /token` for a page, `GET /launch` for a link or a webview. */
import type { LeasedToken } from '../tokenLease.ts'
import { buildWidgetUrl } from '../widgetUrl.ts'
import { orderFields } from '../wire.ts'
import { json, Refusal, seeOther } from './answer.ts'
import type { Handler } from './context.ts'
import { checkJson } from './guard.ts'
import { paramsOf } from './shopper.ts'

/** `toISOString` costs as much as the rest of an answer, and a token is handed out many times. */
const expiries = new WeakMap<LeasedToken, string | null>()

function expiryOf(token: LeasedToken): string | null {
  let expiry = expiries.get(token)
  if (expiry === undefined) {
    expiry = token.expiresAt?.toISOString() ?? null
    expiries.set(token, expiry)
  }
  return expiry
}

/** `POST /token`: what the loader needs to open the widget for this shopper. */
export const token: Handler = async ({ request, shopper, client, tokens }) => {
  checkJson(request)
  const live = await tokens.get()
  return json({
    accessToken: live.accessToken,
    widgetUrl: client.widgetUrl,
    expiresAt: expiryOf(live),
    params: paramsOf(shopper),
  })
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
