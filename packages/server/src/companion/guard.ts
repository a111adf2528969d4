/** Where a request must come from. */
import { Refusal } from './answer.ts'

/** The origins that a request is checked against. */
export interface Origins {
  /** Of the merchant's own pages. */
  readonly allowed: readonly string[]
  /** The companion's. */
  readonly own: () => string
}

/**
 * A POST must come from a page that the merchant allows: exact `Origin`, and CORS answers for no other. An app has neither origin
 * nor cookies; its session is an `Authorization` header, which no other site's page can send.
 */
export function checkOrigin(request: Request, origins: Origins): void {
  const origin = request.headers.get('origin')
  if (
    origin === null
      ? isApp(request)
      : origins.allowed.includes(origin) && !contradicts(request, origin, origins)
  )
    return
  throw new Refusal(
    'forbidden_origin',
    'This page may not call the companion. Add its origin to allowedOrigins if it is yours.',
  )
}

/** Whether a browser says that a page of the companion's own origin is one of another: one of the two is not from the browser. */
function contradicts({ headers }: Request, origin: string, { own }: Origins): boolean {
  const site = headers.get('sec-fetch-site')
  return (site === 'same-site' || site === 'cross-site') && origin === own()
}

/**
 * Browsers send `Origin` with every POST, also to and from plain http, and wherever they send fetch metadata `Sec-Fetch-Site` is
 * among it. `Sec-Fetch-Mode` alone is the `fetch` of Node.
 */
function isApp({ headers }: Request): boolean {
  const ofBrowsers = ['origin', 'cookie', 'sec-fetch-site', 'sec-fetch-dest']
  return headers.has('authorization') && !ofBrowsers.some((name) => headers.has(name))
}

/**
 * A read with the shopper's session must not be started by the page of another site that is not the merchant's. Clients without
 * fetch metadata pass.
 */
export function checkFetchSite(request: Request, allowedOrigins: readonly string[]): void {
  const { headers } = request
  const origin = headers.get('origin')
  const isForeign =
    origin === null ? headers.get('sec-fetch-site') === 'cross-site' : !allowedOrigins.includes(origin)
  if (isForeign) throw new Refusal('forbidden_origin', 'Another site may not call the companion.')
}

/** `scheme://host[:port]`, also for an app's own scheme, where `URL.origin` is `null`. Empty for what has no host. */
export function originOf(address: string): string {
  const url = URL.parse(address)
  return url?.host && !url.username && !url.password ? `${url.protocol}//${url.host}` : ''
}

/** Whether an address is of one of these origins. */
export const allowsReturnTo = (origins: readonly string[], address: string): boolean =>
  origins.includes(originOf(address))

/** The origins that a browser can open or frame: an app has one of its own. */
export const webOrigins = (origins: readonly string[]): string[] =>
  origins.filter((origin) => /^https?:/.test(origin))
