/**
 * `POST /launch` and `POST /token`: create a purchase for a page. The first returns an address that leads to the widget, the second the token
 * itself.
 */
import type { CreatedPurchase } from '../../purchase/begin.ts'
import { json, Refusal } from '../answer.ts'
import { readJson, readPageRequest } from '../asked.ts'
import { allowedBy, type Ctx, type Handler } from '../context.ts'
import { requestFields } from '../guard.ts'

/** The answer of `POST /token`, if the companion has `pageToken: true`: the page then has the token, and adds only `locale` to `params`. */
export interface TokenGrant extends CreatedPurchase {
  accessToken: string
  widgetUrl: string
  /** ISO 8601; null for a token that never expires. */
  expiresAt: string | null
}

/** The answer of `POST /launch`. */
export interface LaunchGrant extends CreatedPurchase {
  /** `{url}/launch?ticket=…`: valid for one minute and this purchase, any number of times, without a session. A 303 leads to the widget. */
  launchUrl: string
  widgetOrigin: string
}

/** No token enters the page: the address that leads to the widget contains a ticket for this purchase. */
export const launchGrant: Handler = async (c) => {
  const { tickets, tokens, client } = c.get('services')()
  const { purchaseId, params } = await beginForPage(c)
  // A ticket that could not be opened is not issued: the page receives the reason at once.
  await tokens.get()
  const { url } = c.get('place')()
  const { shopper } = c.get('caller')
  const ticket = tickets.issue(url, { purchaseId, params, origin: originOfPage(c), shopper })
  return json({
    purchaseId,
    launchUrl: `${url}/launch?ticket=${ticket}`,
    widgetOrigin: new URL(client.widgetUrl).origin,
    params,
  } satisfies LaunchGrant)
}

/** Only if the merchant has enabled it. */
export const token: Handler = async (c) => {
  const { tokens, client, options } = c.get('services')()
  if (!options.pageToken) {
    throw new Refusal(
      'page_token_disabled',
      'This companion gives no token to pages: open the widget by POST /launch, or set pageToken: true.',
    )
  }
  const created = await beginForPage(c)
  const { accessToken, expiresAt } = await tokens.get()
  return json({
    accessToken,
    expiresAt: expiresAt?.toISOString() ?? null,
    widgetUrl: client.widgetUrl,
    ...created,
  } satisfies TokenGrant)
}

/** Null for an app, which has none. */
const originOfPage = ({ req }: Ctx): string | null => req.header('origin') ?? null

async function beginForPage(c: Ctx): Promise<CreatedPurchase> {
  const { begin, options } = c.get('services')()
  const asked = readPageRequest(await readJson(c.req.raw), options.createPurchase ? null : allowedBy(c))
  const hostOrigin = originOfPage(c)
  return begin({
    ...asked,
    ...c.get('caller'),
    ...requestFields(c),
    id: null,
    mayChooseAmount: true,
    hostOrigin,
    surface: hostOrigin === null ? 'launch' : asked.surface,
    openedBy: 'shopper',
  })
}
