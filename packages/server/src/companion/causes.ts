/** What a developer can fix: about a request that failed, about how the companion is reached, and about its options. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { type Cause, causeOf, serviceCause } from '../mistakes.ts'
import { Refusal } from './answer.ts'
import { type Ctx, placeIfKnown } from './context.ts'
import type { Place } from './place.ts'
import { originOf } from './place.ts'

/** What a developer can fix about a request that failed. Null where there is nothing to fix. */
export function failureCause(error: unknown, c: Ctx): Cause | null {
  if (error instanceof Refusal) {
    const place = placeIfKnown(c)
    if (error.code === 'forbidden_origin') return place && originCause(c.req.raw, place)
    return error.code === 'too_many_requests' ? callerCause(c) : null
  }
  if (!(error instanceof PurchaseError) || isPurchaseRefused(error)) return null
  if (!(error instanceof InvalidInputError)) return serviceCause(error, clientOf(c))
  // Any other is a mistake in the merchant's own code, which `onError` receives.
  if (error.operation !== 'configuration') return null
  return causeOf('setting_invalid', { problem: error.message.replace(/^configuration: /, '') })
}

/** Empty while it can't be made. */
function clientOf(c: Ctx): Partial<PurchaseClient> {
  try {
    return c.get('services')().client
  } catch {
    return {}
  }
}

/**
 * Why a page's call was refused: mostly not a foreign page, but an address that is configured wrongly or lost by a proxy.
 *
 * @returns null where nothing is the merchant's to fix, such as for another site's frame.
 */
function originCause({ method, headers }: Request, place: Place): Cause | null {
  const page = headers.get('origin')
  if (page === null) return method === 'POST' ? causeOf('origin_missing', {}) : null
  if (page === 'null') return causeOf('origin_null', {})
  if (originOf(page) !== page) return null
  const site = headers.get('sec-fetch-site')
  if (place.shops.includes(page)) return causeOf('origin_rewritten', { page, site: site ?? '' })
  // A browser compares the page with the address that it calls, which no proxy has changed. On the companion's own origin only the
  // merchant's list can leave the page out.
  const isSameOrigin = site === 'same-origin' || (site === null && !place.isListed)
  return isSameOrigin && place.origin !== page
    ? addressCause(headers, page, place)
    : causeOf('page_not_allowed', { page, allowed: place.shops.join(', ') || 'none' })
}

function addressCause(headers: Headers, page: string, { url, origin, setting }: Place): Cause {
  const values = { companion: url, page, expected: page + url.slice(origin.length) }
  if (setting !== 'Host') return causeOf('companion_address', { ...values, setting })
  const [ownScheme, ownHost] = origin.split('://')
  const host = headers.get('x-forwarded-host') ?? ownHost
  const scheme = headers.get('x-forwarded-proto') ?? ownScheme
  return causeOf(`${scheme}://${host}` === page ? 'forwarded_not_trusted' : 'host_not_passed', values)
}

/** Loopback, private and link-local addresses: a shopper's own is none of them, but on the developer's machine. */
const isPrivate =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:|::ffff:(127|10|192\.168)\.)/i

/** Whether the address that limits count is a proxy's. One that is trusted is not counted, but the address that it has appended. */
function callerCause(c: Ctx): Cause | null {
  const { address } = c.get('info')
  const forwarded = c.req.header('x-forwarded-for') ?? null
  if (forwarded === null || address === undefined || !isPrivate.test(address)) return null
  if (forwarded.includes(address.replace(/^::ffff:/i, ''))) return null
  return causeOf('caller_behind_proxy', { address })
}

/**
 * What would refuse nobody, and cost a shopper's purchase: limits that count a proxy, and a return page that is not where the companion says. A
 * proxy or framework may take the beginning of a path away: only a mount that is no end of the configured path is a mistake.
 */
export function requestCauses(c: Ctx, mount: string | null): Cause[] {
  const caller = callerCause(c)
  const place = placeIfKnown(c)
  const isElsewhere = mount && place && place.setting !== 'Host' && !place.url.endsWith(mount)
  return [
    ...(caller ? [caller] : []),
    ...(isElsewhere ? [causeOf('companion_path', { setting: place.setting, companion: place.url })] : []),
  ]
}
