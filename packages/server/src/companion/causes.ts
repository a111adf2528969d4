/** Mistakes that a developer can fix: in a failed request, in how the companion is reached, and in its options. */
import { type Cause, causeOf, settingCause } from '../mistakes.ts'
import { unlessThrows } from '../unknown.ts'
import { Refusal } from './answer.ts'
import { type Ctx, placeIfKnown } from './context.ts'
import { originOf, type Place } from './place.ts'
import { warnOf } from './report.ts'

/** The mistake behind a failed request. Null if there is nothing to fix. */
export function failureCause(error: unknown, c: Ctx): Cause | null {
  if (error instanceof Refusal) {
    const place = placeIfKnown(c)
    if (error.code === 'forbidden_origin') return place && originCause(c.req.raw, place)
    return error.code === 'too_many_requests' ? callerCause(c) : null
  }
  return settingCause(error, unlessThrows(c.get('services'))?.client ?? {})
}

/**
 * Why a page's call was refused: usually not because the page is foreign, but because an address is misconfigured or lost by a proxy.
 *
 * @returns null if there is nothing for the merchant to fix, such as for another site's frame.
 */
function originCause({ method, headers }: Request, place: Place): Cause | null {
  const page = headers.get('origin')
  if (page === null) return method === 'POST' ? causeOf('origin_missing', {}) : null
  if (page === 'null') return causeOf('origin_null', {})
  if (originOf(page) !== page) return null
  const site = headers.get('sec-fetch-site')
  if (place.shops.includes(page)) return causeOf('origin_rewritten', { page, site: site ?? '' })
  // A browser compares the page with the address that it calls, which no proxy has changed. On the companion's own origin only the
  // merchant's list can exclude the page.
  const isSameOrigin = site === 'same-origin' || (site === null && !place.isListed)
  return isSameOrigin && place.origin !== page
    ? addressCause(page, place)
    : causeOf('page_not_allowed', { page, allowed: place.shops.join(', ') || 'none' })
}

function addressCause(page: string, { url, origin, setting }: Place): Cause {
  const values = { companion: url, page, expected: page + url.slice(origin.length) }
  return setting === 'Host'
    ? causeOf('host_not_passed', values)
    : causeOf('companion_address', { ...values, setting })
}

/** Loopback, private and link-local addresses: no shopper has one, except on the developer's machine. */
const isPrivate =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:|::ffff:(127|10|192\.168)\.)/i

/** Reports rate limits that count a proxy's address. A trusted proxy is not counted, but the address that it has appended. */
function callerCause(c: Ctx): Cause | null {
  const { address } = c.get('info')
  const forwarded = c.req.header('x-forwarded-for') ?? null
  if (forwarded === null || address === undefined || !isPrivate.test(address)) return null
  if (forwarded.includes(address.replace(/^::ffff:/i, ''))) return null
  return causeOf('caller_behind_proxy', { address })
}

/**
 * Logs mistakes that refuse no request but cost a shopper's purchase: rate limits that count a proxy, and a return page at another address than the
 * companion's. A proxy or framework may strip the start of a path: only a mount that does not end the configured path is a mistake.
 */
export function warnOfRequest(c: Ctx, mount: string | null): void {
  const caller = callerCause(c)
  if (caller) warnOf(caller)
  const place = placeIfKnown(c)
  if (mount && place && place.setting !== 'Host' && !place.url.endsWith(mount)) {
    warnOf(causeOf('companion_path', { setting: place.setting, companion: place.url }))
  }
}
