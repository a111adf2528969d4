/**
 * `POST /launch` and `POST /token`: create a purchase for a page. The first returns an address that leads to the widget, the second the token
 * itself.
 */
import type { CreatedPurchase } from '../../purchase/begin.ts'
import { json, Refusal } from '../answer.ts'
import { type AskedByPage, readPageRequest } from '../asked.ts'
import { allowedBy, type Ctx, type Guard, type Handler } from '../context.ts'
import { requestFields } from '../guard.ts'

/** The answer of `POST /token`, if the companion has `pageToken: true`: the page then has the token. */
export interface TokenGrant {
  purchaseId: string
  accessToken: string
  widgetUrl: string
  /** ISO 8601; null for a token that never expires. */
  expiresAt: string | null
  /** Every parameter of the widget's address but the token: the page adds only `locale`. */
  params: Record<string, string>
}

/** The answer of `POST /launch`. */
export interface LaunchGrant {
  purchaseId: string
  /** `{url}/launch?ticket=…`: valid for one minute and this purchase, any number of times, without a session. A 303 leads to the widget. */
  launchUrl: string
  widgetOrigin: string
  params: Record<string, string>
}

/** `POST /launch`: no token enters the page. */
export const launchGrant: Handler = async (c) => {
  const created = await beginForPage(c, readAsked(c))
  // A ticket that could not be opened is not issued: the page receives the reason at once.
  await c.get('services')().tokens.get()
  return grantLaunch(c, created)
}

/** `POST /token`: only if the merchant has enabled it. */
export const pageTokenOnly: Guard = async (c, next) => {
  if (!c.get('services')().pageToken) {
    throw new Refusal(
      'page_token_disabled',
      'This companion gives no token to pages: open the widget by POST /launch, or set pageToken: true.',
    )
  }
  await next()
}

export const token: Handler = async (c) => {
  const { tokens, client } = c.get('services')()
  const created = await beginForPage(c, readAsked(c))
  const { accessToken, expiresAt } = await tokens.get()
  return json({
    accessToken,
    expiresAt: expiresAt?.toISOString() ?? null,
    widgetUrl: client.widgetUrl,
    ...created,
  } satisfies TokenGrant)
}

const readAsked = (c: Ctx): AskedByPage =>
  readPageRequest(c.get('body'), c.get('services')().decidedBy === 'page' ? allowedBy(c) : null)

/** Null for an app, which has none. */
const originOfPage = ({ req }: Ctx): string | null => req.header('origin') ?? null

function beginForPage(c: Ctx, asked: AskedByPage): Promise<CreatedPurchase> {
  const hostOrigin = originOfPage(c)
  return c
    .get('services')()
    .begin({
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

/** The token never enters the page: the address that leads to the widget contains a ticket for this purchase. */
async function grantLaunch(c: Ctx, { purchaseId, params }: CreatedPurchase): Promise<Response> {
  const { tickets, client } = c.get('services')()
  const { url } = c.get('place')()
  const ticket = tickets.issue(url, {
    purchaseId,
    params,
    origin: originOfPage(c),
    shopper: c.get('caller').shopper,
  })
  return json({
    purchaseId,
    launchUrl: `${url}/launch?ticket=${ticket}`,
    widgetOrigin: new URL(client.widgetUrl).origin,
    params,
  } satisfies LaunchGrant)
}
