/** What the companion answers to whom. One row per route; each handler sees an authorised shopper. */
import type { PurchaseClient } from '../client.ts'
import { isApiError } from '../errors.ts'
import type { TokenLease } from '../tokenLease.ts'
import { buildWidgetUrl } from '../widgetUrl.ts'
import { type Order, type OrderRecord, orderFields } from '../wire.ts'
import { type Answer, json, Refusal, seeOther } from './answer.ts'
import { readJson } from './guard.ts'
import { owns, paramsOf, type Shopper } from './shopper.ts'
import { summarise } from './summary.ts'

/** What a handler works with. */
export interface RouteContext {
  request: Request
  url: URL
  shopper: Shopper
  /** The last segment of the path, for routes that end in an id. */
  id: string
  client: PurchaseClient
  tokens: TokenLease
  /** Whether a return address may be passed to the widget. */
  allowsReturnTo: (address: string) => boolean
}

export type Handler = (context: RouteContext) => Promise<Answer>

const BODY_LIMIT = 16_384

/** `POST /token`: what the loader needs to open the widget for this shopper. */
export const token: Handler = async ({ request, shopper, client, tokens }) => {
  await readJson(request, BODY_LIMIT)
  const { accessToken, expiresAt } = await tokens.get()
  return json({
    accessToken,
    widgetUrl: client.widgetUrl,
    expiresAt: expiresAt?.toISOString() ?? null,
    params: paramsOf(shopper),
  })
}

/** `GET /launch`: sends the browser or webview to the widget, so that the token never enters a page of the merchant. */
export const launch: Handler = async ({ url, shopper, client, tokens, allowsReturnTo }) => {
  const params: Record<string, string> = {}
  for (const field of orderFields) {
    const value = url.searchParams.get(field)
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

/**
 * `GET /orders`: this shopper's orders, in the order in which the service lists them, which the interface does not
 * promise.
 */
export const listOrders: Handler = async ({ shopper, client, tokens }) => {
  const custom_id = shopper.customId
  if (custom_id === undefined) {
    throw new Refusal(
      'invalid_request',
      'Orders are found by custom id, and authorize() gave none for this shopper.',
    )
  }
  const { accessToken } = await tokens.get()
  const records = await client.orders.list({ accessToken, custom_id })
  return json({
    orders: records
      .filter(isOrder)
      .filter((order) => owns(shopper, order))
      .map(summarise),
  })
}

/** `GET /orders/:id`: one order of this shopper. Another shopper's is as unknown as one that never was. */
export const oneOrder: Handler = async ({ shopper, client, id }) => {
  const order = await client.transactions.retrieve({ order_id: id }).catch(nullWhenUnknown)
  if (!order || order.id !== id || !owns(shopper, order))
    throw new Refusal('not_found', 'There is no such order.')
  return json({ order: summarise(order) })
}

const isOrder = (record: OrderRecord): record is Order => record.id !== undefined && record.type !== undefined

/** A refusal of the service that means "there is no such thing", with whatever status it says so (U6). */
function nullWhenUnknown(error: unknown): null {
  if (isApiError(error) && [200, 400, 404, 410, 422].includes(error.status)) return null
  throw error
}
