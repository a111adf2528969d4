/** Identifies callers: only the shop's own pages and programs, each as a guest with the id in a signed session cookie. */
import { randomBytes } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { parseSigned, serializeSigned } from 'hono/utils/cookie'

/**
 * Checks every request before routing. A website that the visitor happens to open can also reach localhost through the browser.
 * The companion also checks its own callers.
 */
export const guard: MiddlewareHandler = async (c, next) => {
  if (!isOwnHost(c)) return c.text('Host: must be localhost, a name under it, 127.0.0.1 or [::1].', 403)
  if (!isWellFormed(c.req.url)) return c.text('The address has a % that starts no escape sequence.', 400)
  if (c.req.path.startsWith('/api/shop/') && !isRead(c)) {
    if (isFromAnotherOrigin(c)) return c.text('Origin: a page of another origin may not do this.', 403)
    // The content types of forms need no preflight, and old browsers send no Origin with them.
    if (c.req.method === 'POST' && !isJson(c)) return c.text('Content-Type: must be application/json.', 415)
  }
  return next()
}

/**
 * A website can point its own name at localhost (DNS rebinding). The browser then treats the shop as that website's own origin, and
 * only the name gives it away. Request line and header differ when the line contains an absolute URL.
 */
const isOwnHost = (c: Context): boolean =>
  [c.req.url, `http://${c.req.header('host')}`].every((address) =>
    isLoopback(URL.parse(address)?.hostname ?? ''),
  )

/** Subdomains of `localhost` resolve only to loopback (RFC 6761, section 6.3). */
const isLoopback = (hostname: string): boolean =>
  /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]' || `.${hostname}`.endsWith('.localhost')

function isWellFormed(address: string): boolean {
  try {
    decodeURI(new URL(address).pathname)
    return true
  } catch {
    return false
  }
}

const isRead = (c: Context): boolean => c.req.method === 'GET' || c.req.method === 'HEAD'

/** Checks two headers that browsers set and pages cannot; programs send neither. */
function isFromAnotherOrigin(c: Context): boolean {
  const origin = c.req.header('origin') ?? new URL(c.req.url).origin
  const site = c.req.header('sec-fetch-site') ?? 'none'
  return origin !== new URL(c.req.url).origin || !['same-origin', 'none'].includes(site)
}

const isJson = (c: Context): boolean => /^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')

const COOKIE = 'shopper'
const THIRTY_DAYS = 30 * 24 * 60 * 60

/** The `custom_id` on the wire; null for a missing or forged cookie. */
export async function shopperOf(request: Request, secret: string): Promise<string | null> {
  const cookies = await parseSigned(request.headers.get('cookie') ?? '', secret, COOKIE)
  return cookies[COOKIE] || null
}

/** A new guest's `Set-Cookie` value. */
export const welcome = (secret: string): Promise<string> =>
  serializeSigned(COOKIE, `guest-${randomBytes(8).toString('hex')}`, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: THIRTY_DAYS,
  })
