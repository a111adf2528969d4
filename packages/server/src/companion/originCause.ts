/** Why a page's call was refused: mostly not a foreign page, but an address that is configured wrongly or lost by a proxy. */
import { type Cause, causeOf } from '../mistakes/table.ts'
import type { Believed } from './believed.ts'
import { originOf } from './guard.ts'

/** @returns null where nothing is the merchant's to fix, such as for another site's frame. */
export function originCause({ method, headers }: Request, believed: Believed): Cause | null {
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
