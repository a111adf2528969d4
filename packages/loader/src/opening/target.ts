/** Gets the widget's address. */
import { isWidgetError, widgetError } from '../errors.ts'
import { nullProto } from '../names.ts'
import type { Target } from '../opening.ts'
import { callCompanion, parseRefusal } from '../outcome/confirm.ts'
import { isPurchaseId } from '../outcome/kept.ts'
import type { Settings } from '../settings.ts'
import type { Mode, RedirectPage, WidgetError } from '../types.ts'
import { buildWidgetUrl, originOf, withParams } from '../url.ts'
import { linkOf, randomId, rememberWidgetOrigin } from './link.ts'
import { addresses } from './options.ts'

/** What the companion returns: `POST /launch` a ticket for `/launch`, `POST /token` the token. */
interface Grant {
  purchaseId: string
  /** All of the widget's parameters; the page adds only `locale`. */
  params: Record<string, string>
  /** With a token. */
  widgetUrl?: string
  accessToken?: string
  expiresAt?: string | null
  /** With a ticket. */
  launchUrl?: string | undefined
  widgetOrigin?: string
}

/** The longest time for which an address with a token is opened again, and for which any preloaded frame is shown. */
const TOKEN_MS = 600_000
/** How long an address with a ticket is opened again: the ticket is valid for one minute. */
const TICKET_MS = 50_000

/** The companion's reason for a refusal, `{ error: { code, message } }`, truncated; the rest of the answer could be anything. */
async function refusalOf(response: Response, route: string): Promise<WidgetError> {
  const { status } = response
  const answer: { error?: object } | null = await response.json().catch(() => null)
  const refusal = parseRefusal(answer?.error)
  const reason = refusal ? ` ${refusal.code}. ${refusal.message}` : '.'
  return widgetError('token_failed', `POST /${route}: ${status}${reason}`, {
    companion: nullProto({ status, ...refusal }),
  })
}

async function askCompanion(settings: Settings, mode: Mode): Promise<Grant> {
  const { params, pageToken, redirectPage } = settings
  const route = pageToken ? 'token' : 'launch'
  const response = await callCompanion(settings, route, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ params, surface: mode, redirectPage }),
  })
  if (!response.ok) throw await refusalOf(response, route)
  // A parser's error message quotes its input, which may be the token.
  const grant: Grant = nullProto(await response.json().catch(() => ({})))
  if (!isPurchaseId(grant.purchaseId))
    throw widgetError('token_failed', `POST /${route}: ${response.status}.`)
  return grant
}

/** Without a companion: the page's own parameters, with the purchase's id in the return addresses that the order stores. */
function paramsOf(
  given: Readonly<Record<string, string>>,
  purchaseId: string,
  redirectPage: RedirectPage,
): Record<string, string> {
  const params = nullProto<Record<string, string>>({ ...given, redirect_page: redirectPage })
  for (const name of addresses) {
    if (!params[name]) continue
    const url = new URL(params[name])
    url.searchParams.set('purchase', purchaseId)
    params[name] = url.href
  }
  return params
}

/** The merchant's own token or launch route. */
async function grantOf(settings: Settings, mode: Mode): Promise<Grant> {
  const { accessToken = '', launchUrl, widgetUrl = '' } = settings
  // In mode `redirect` the loader itself opens the requested tab, and the return page belongs in that tab.
  const redirectPage = mode === 'redirect' ? 'self' : settings.redirectPage
  const purchaseId = randomId()
  const params = paramsOf(settings.params, purchaseId, redirectPage)
  return nullProto({
    purchaseId,
    params,
    widgetUrl,
    launchUrl: launchUrl && withParams(launchUrl, params),
    accessToken: typeof accessToken === 'function' ? await accessToken() : accessToken,
  })
}

async function fetchTarget(settings: Settings, mode: Mode): Promise<Target> {
  const { companion, locale } = settings
  const grant = await (companion ? askCompanion(settings, mode) : grantOf(settings, mode))
  const { purchaseId, widgetOrigin, widgetUrl = widgetOrigin ?? '', launchUrl, accessToken = '' } = grant
  const { origin } = new URL(originOf(widgetUrl, 'widgetUrl', settings))
  const now = Date.now()
  if (launchUrl) {
    originOf(launchUrl, 'launchUrl', settings)
    if (companion) rememberWidgetOrigin(companion, origin)
    return {
      purchaseId,
      origin,
      url: launchUrl,
      until: now + TICKET_MS,
      shownUntil: now + TOKEN_MS,
    }
  }
  const params = { ...grant.params, ...(locale && { locale }) }
  const url = buildWidgetUrl({ ...settings, widgetUrl, accessToken, params })
  const expires = grant.expiresAt ? Date.parse(grant.expiresAt) - 60_000 : Infinity
  const until = Math.min(now + TOKEN_MS, expires)
  return { purchaseId, origin, url, until, shownUntil: until }
}

/**
 * Returns a target for one navigation; the next may be for another shopper. A link is returned synchronously.
 * Rejects with `token_failed`, or with `invalid_options` for an answer that must not be opened.
 *
 * @param early The widget is not visible yet.
 * @param before The target to which this opening has already navigated.
 */
export function takeTarget(
  settings: Settings,
  mode: Mode,
  early: boolean,
  before?: Target,
): Target | Promise<Target> {
  const known = before?.byLink && before.until > Date.now() ? before.purchaseId : undefined
  const { companion } = settings
  const fetched = (): Promise<Target> =>
    fetchTarget(settings, mode).catch((cause) => {
      throw isWidgetError(cause)
        ? cause
        : widgetError('token_failed', companion && `${companion}:`, { cause })
    })
  return linkOf(settings, mode, early, known) ?? fetched()
}
