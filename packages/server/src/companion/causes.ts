/** What a developer can fix: about a request that failed, about how the companion is reached, and about its options. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { serviceCause } from '../mistakes/service.ts'
import { type Cause, causeOf } from '../mistakes/table.ts'
import { Refusal } from './answer.ts'
import { originOf } from './guard.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import { warnOf } from './report.ts'
import type { Believed, BelievedFor } from './setting.ts'

interface Failed {
  error: unknown
  request: Request
  info: RequestInfo
  /** Null while the companion's address is not configured. */
  believed: Believed | null
  /** Empty while it can't be made. */
  client: Partial<PurchaseClient>
}

/** @returns null where there is nothing to fix. */
export function failureCause({ error, request, info, believed, client }: Failed): Cause | null {
  if (error instanceof Refusal) {
    if (error.code === 'forbidden_origin') return believed && originCause(request, believed)
    return error.code === 'too_many_requests' ? callerCause(request, info) : null
  }
  if (!(error instanceof PurchaseError) || isPurchaseRefused(error)) return null
  if (!(error instanceof InvalidInputError)) return serviceCause(error, client)
  // Any other is a mistake in the merchant's own code, which `onError` receives.
  if (error.operation !== 'configuration') return null
  return causeOf('setting_invalid', { problem: error.message.replace(/^configuration: /, '') })
}

/**
 * Why a page's call was refused: mostly not a foreign page, but an address that is configured wrongly or lost by a proxy.
 *
 * @returns null where nothing is the merchant's to fix, such as for another site's frame.
 */
function originCause({ method, headers }: Request, believed: Believed): Cause | null {
  const page = headers.get('origin')
  if (page === null) return method === 'POST' ? causeOf('origin_missing', {}) : null
  if (page === 'null') return causeOf('origin_null', {})
  if (originOf(page) !== page) return null
  const site = headers.get('sec-fetch-site')
  if (believed.allowed.includes(page)) return causeOf('origin_rewritten', { page, site: site ?? '' })
  // A browser compares the page with the address that it calls, which no proxy has changed. On the companion's own origin only the
  // merchant's list can leave the page out.
  const isSameOrigin = site === 'same-origin' || (site === null && !believed.isListed)
  return isSameOrigin && new URL(believed.url).origin !== page
    ? addressCause(headers, page, believed)
    : causeOf('page_not_allowed', { page, allowed: believed.allowed.join(', ') || 'none' })
}

function addressCause(headers: Headers, page: string, { url, setting }: Believed): Cause {
  const { origin, pathname } = new URL(url)
  const values = { companion: url, page, expected: page + (pathname === '/' ? '' : pathname) }
  if (setting !== 'Host') return causeOf('companion_address', { ...values, setting })
  const own = URL.parse(origin)
  const host = headers.get('x-forwarded-host') ?? own?.host
  const scheme = headers.get('x-forwarded-proto') ?? own?.protocol.slice(0, -1)
  return causeOf(`${scheme}://${host}` === page ? 'forwarded_not_trusted' : 'host_not_passed', values)
}

/**
 * Whether the return page will be where the companion says. A proxy or framework may take the beginning of a path away: only a mount
 * that is no end of the configured path is a mistake.
 */
function pathCause(mount: string, { url, setting }: Believed): Cause | null {
  const { pathname } = new URL(url)
  if (setting === 'Host' || pathname.endsWith(mount || '/') || mount === '') return null
  return causeOf('companion_path', { setting, companion: url })
}

/** Loopback, private and link-local addresses: a shopper's own is none of them, but on the developer's machine. */
const isPrivate =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:|::ffff:(127|10|192\.168)\.)/i

/** Whether the address that limits count is a proxy's. One that is trusted is not counted, but the address that it has appended. */
function callerCause({ headers }: Request, { address }: RequestInfo): Cause | null {
  const forwarded = headers.get('x-forwarded-for')
  if (forwarded === null || address === undefined || !isPrivate.test(address)) return null
  if (forwarded.includes(address.replace(/^::ffff:/i, ''))) return null
  return causeOf('caller_behind_proxy', { address })
}

/** Logs what would refuse nobody, and cost a shopper's purchase. Every request passes it. */
export function createMountCheck(): (
  request: Request,
  info: RequestInfo,
  mount: string,
  believedFor: BelievedFor,
) => void {
  let checkedMount: string | null = null
  return (request, info, mount, believedFor) => {
    const caller = callerCause(request, info)
    if (caller) warnOf(caller)
    if (mount === checkedMount) return
    checkedMount = mount
    const believed = believedFor(request)
    const path = believed && pathCause(mount, believed)
    if (path) warnOf(path)
  }
}

/** Mistakes in the options and the environment, before anybody buys. */
export function setupCauses(
  { onOrder, createPurchase }: Pick<CompanionOptions, 'onOrder' | 'createPurchase'>,
  { widgetUrl }: Pick<PurchaseClient, 'widgetUrl'>,
): Cause[] {
  return [
    ...(onOrder ? [] : [causeOf('on_order_missing', {})]),
    ...(createPurchase ? [] : [causeOf('create_purchase_missing', {})]),
    ...(widgetUrl.endsWith('/widget')
      ? [causeOf('widget_url_path', { url: widgetUrl, expected: widgetUrl.slice(0, -'/widget'.length) })]
      : []),
  ]
}

const PAGE_MS = 3_000

/** Whether there is a page where shoppers are sent: a browser does not tell its own page. Never rejects. */
export async function widgetPageCause({
  widgetUrl,
}: Pick<PurchaseClient, 'widgetUrl'>): Promise<Cause | null> {
  const url = `${widgetUrl}/widget/`
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PAGE_MS) })
    await body?.cancel()
    return status === 404 || status === 410
      ? causeOf('widget_page', { url, answer: `answers ${status}` })
      : null
  } catch {
    return causeOf('widget_page', { url, answer: 'cannot be reached' })
  }
}
