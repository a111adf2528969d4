/**
 * Restricts a sandbox to programs and its own pages. A website that the developer happens to visit can also reach
 * localhost through the browser; it may open the widget page and nothing else.
 */
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { anyAddress, isLoopbackHost } from '../loopback.ts'
import type { State } from '../state/state.ts'
import type { AppEnv } from './middleware.ts'

type AppContext = Context<AppEnv>

/**
 * Refuses requests to names other than localhost and the public addresses. A website can point its own name here (DNS rebinding);
 * the browser then treats it as the sandbox's own origin, and only the name gives it away.
 */
export const guardHost =
  ({ options: { hostNames } }: State): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const isOurs = (hostname: string): boolean => isLoopbackHost(hostname) || hostNames.includes(hostname)
    // They differ when the request line contains an absolute URL.
    const called = [c.req.url, `http://${c.req.header('host')}`]
    const foreign = called.map((address) => URL.parse(address)?.hostname ?? '').find((name) => !isOurs(name))
    if (foreign === undefined) return next()
    const names = [...loopbackNames, ...hostNames].join(', ')
    return refuse(c, 403, `Host: must be ${names}.${remedyFor(foreign)}`)
  }

const loopbackNames = ['localhost', 'a name that ends in .localhost', '127.0.0.1', '[::1]']

/** Tells the developer which option adds this host. */
function remedyFor(hostname: string): string {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (address === '' || anyAddress.includes(address)) return ''
  const options = isIP(address)
    ? `--host ${address}, or with --widget-public-url and --api-public-url.`
    : '--widget-public-url and --api-public-url.'
  return ` To serve ${hostname}, start it with ${options}`
}

/** Refuses requests sent by pages of another origin, and hides the responses from such pages. */
export const guardControl =
  ({ options: { publicOrigin } }: State): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    if (isFromAnotherOrigin(c, publicOrigin))
      c.res = refuse(c, 403, 'Origin: a page of another origin may not use the control plane; a program may.')
    else if (isForm(c)) c.res = refuse(c, 400, 'Content-Type: must be application/json')
    else await next()
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('X-Frame-Options', 'DENY')
    // A second policy in addition to the page's own; the browser enforces both.
    c.header('Content-Security-Policy', "frame-ancestors 'none'", { append: true })
  }

/** Checks two headers that browsers set and pages cannot; programs send neither. */
function isFromAnotherOrigin(c: AppContext, publicOrigin: string | undefined): boolean {
  const origin = c.req.header('origin')
  // Behind a TLS proxy the browser's origin is https while the request received here is http.
  if (origin !== undefined && origin !== new URL(c.req.url).origin && origin !== publicOrigin) return true
  const site = c.req.header('sec-fetch-site')
  return site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink(c)
}

/** A top-level navigation by link: the linking page cannot read the response. */
const isLink = (c: AppContext): boolean =>
  c.req.method === 'GET' &&
  c.req.header('sec-fetch-mode') === 'navigate' &&
  c.req.header('sec-fetch-dest') === 'document'

/** Covers old browsers, which submit forms to another origin with neither header. */
const isForm = (c: AppContext): boolean =>
  /^(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(
    c.req.header('content-type') ?? '',
  )

const refuse = (c: AppContext, status: 400 | 403, message: string): Response =>
  c.json({ error: true, message }, status)
