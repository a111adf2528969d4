/** What a request must prove before a route sees it. */
import { readAtMost } from '../readAtMost.ts'
import { within } from '../within.ts'
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

const JSON_LIMIT = 16_384

/**
 * A body must be JSON: a form of another site cannot send that without the browser asking first. Says nothing about what is
 * in it; a route that needs nothing from its body leaves it unread.
 */
function checkJson(request: Request): void {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal('unsupported_media_type', 'Send JSON with Content-Type: application/json.')
  }
  checkLength(request, JSON_LIMIT)
}

/** Reads a JSON object of at most 16 KiB. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  checkJson(request)
  const body = parse(await readText(request, JSON_LIMIT))
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'The body must be a JSON object.')
  }
  return body as Record<string, unknown>
}

/** Milliseconds for a whole body: one that stalls must not hold its connection. */
const BODY_MS = 5_000

/** Reads the body as text, giving up as soon as it is longer than `limit` bytes, or takes too long. */
export async function readText(request: Request, limit: number): Promise<string> {
  checkLength(request, limit)
  return within(BODY_MS, readAll(request, limit)).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    throw new Refusal('request_timeout', `The body did not arrive within ${BODY_MS / 1_000} s.`, {
      headers: { connection: 'close' },
    })
  })
}

async function readAll(request: Request, limit: number): Promise<string> {
  // A server holds a body to the length that it states; without one it is counted while it comes, which costs more.
  if (request.headers.has('content-length')) return withinLimit(await request.text(), limit)
  const text = await readAtMost(request.body, limit)
  if (text === null) throw tooLarge(limit)
  return text
}

function withinLimit(text: string, limit: number): string {
  if (text.length > limit) throw tooLarge(limit)
  return text
}

function checkLength(request: Request, limit: number): void {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
}

const tooLarge = (limit: number): Refusal =>
  new Refusal('too_large', `The body may have at most ${limit} bytes.`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `scheme://host[:port]`, also for an app's own scheme, where `URL.origin` is `null`. Empty for what has no host. */
export function originOf(address: string): string {
  const url = URL.parse(address)
  return url?.host && !url.username && !url.password ? `${url.protocol}//${url.host}` : ''
}

/**
 * Origin and path of a request's address. A `Request` has normalised it already, and every request passes here: a `URL` would
 * cost more than the rest of the check. Some runtimes only build the address, from whatever the `Host` header says.
 */
export function splitAddress(address: string): { origin: string; pathname: string } {
  if (!URL.canParse(address)) throw new Refusal('invalid_request', 'The Host header is not valid.')
  const pathAt = address.indexOf('/', address.indexOf('//') + 2)
  const endAt = address.slice(pathAt).search(/[?#]/)
  return {
    origin: address.slice(0, pathAt),
    pathname: address.slice(pathAt, endAt < 0 ? undefined : pathAt + endAt),
  }
}
