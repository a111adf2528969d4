/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It gives a signed-in shopper a token, their
 * orders and nothing else.
 */
import type { PurchaseClient } from '../client.ts'
import {
  InvalidInputError,
  isApiError,
  isNetworkError,
  isTimeoutError,
  isUnexpectedResponseError,
} from '../errors.ts'
import type { TokenLease } from '../tokenLease.ts'
import { type Answer, Refusal, refuse } from './answer.ts'
import { checkFetchSite, checkOrigin } from './guard.ts'
import { createLimiter, type RateLimit } from './limits.ts'
import { type Handler, launch, listOrders, oneOrder, token } from './routes.ts'
import type { Shopper } from './shopper.ts'

export interface CompanionOptions {
  client: PurchaseClient
  tokens: TokenLease
  /**
   * Says who is asking, from the merchant's own session; null answers 401. Everything that the companion says is for this
   * shopper only. Read headers and cookies; leave the body alone.
   */
  authorize: (request: Request) => Shopper | null | Promise<Shopper | null>
  /**
   * Origins of the pages that may call, e.g. `https://shop.example`. Default: the origin of the request's own address. Set
   * it when a proxy in front changes scheme or host.
   */
  allowedOrigins?: readonly string[]
  rateLimit?: RateLimit
  /** Sees every failure that became a 5xx. Default: `console.error` with name and message. */
  onError?: (error: unknown) => void
}

/** What the runtime knows and a `Request` does not say. */
export interface RequestInfo {
  /** The caller's network address, for the rate limit. */
  address?: string | undefined
}

export interface Companion {
  /**
   * Answers one request. The route is the end of its path, so that any mount path does, with or without being stripped; it
   * must not itself end in `/orders`. Never rejects.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
}

interface Route {
  method: 'GET' | 'POST'
  path: string
  handle: Handler
}

const routes: readonly Route[] = [
  { method: 'POST', path: 'token', handle: token },
  { method: 'GET', path: 'launch', handle: launch },
  { method: 'GET', path: 'orders', handle: listOrders },
  { method: 'GET', path: 'orders/:id', handle: oneOrder },
]

/**
 * @throws InvalidInputError without `authorize`: a companion that does not know who asks would answer everyone.
 */
export function createCompanion(options: CompanionOptions): Companion {
  const { client, tokens, authorize, allowedOrigins, rateLimit = {}, onError = report } = options
  if (typeof authorize !== 'function') {
    throw new InvalidInputError(
      'configuration',
      'createCompanion needs authorize(request), which says who is signed in; return null for nobody.',
    )
  }
  const limitShopper = createLimiter(rateLimit.perShopper ?? 60)
  const limitAddress = createLimiter(rateLimit.perAddress ?? 600)

  async function answer(request: Request, info: RequestInfo): Promise<Answer> {
    const url = new URL(request.url)
    const { route, id } = findRoute(request.method, url.pathname)
    if (info.address) await limitAddress(`${route.path} ${info.address}`)
    if (route.method === 'POST') checkOrigin(request, allowedOrigins)
    else if (route.path !== 'launch' || request.headers.get('sec-fetch-mode') !== 'navigate')
      checkFetchSite(request)

    const shopper = await authorize(request)
    if (!shopper) throw new Refusal('unauthorized', 'Sign in first.')
    if (!shopper.customId?.trim() && !shopper.userId?.trim()) {
      throw new InvalidInputError('configuration', 'authorize() must return a customId, a userId, or null.')
    }
    await limitShopper(`${route.path} ${shopper.customId ?? ''} ${shopper.userId ?? ''}`)
    const allowsReturnTo = (address: string): boolean =>
      (allowedOrigins ?? [url.origin]).includes(originOf(address))
    return route.handle({ request, url, shopper, id, client, tokens, allowsReturnTo })
  }

  return {
    async fetch(request, info = {}) {
      const { status, headers, body } = await answer(request, info).catch((error: unknown) => {
        const refusal = toRefusal(error)
        if (refusal !== error) onError(error)
        return refuse(refusal)
      })
      return new Response(body, { status, headers })
    },
  }
}

function findRoute(method: string, pathname: string): { route: Route; id: string } {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1) ?? ''
  const path = segments.at(-2) === 'orders' ? 'orders/:id' : last
  const candidates = routes.filter((route) => route.path === path)
  if (candidates.length === 0) throw new Refusal('not_found', 'There is no such route.')
  const route = candidates.find((candidate) => candidate.method === method)
  if (!route) {
    const allow = candidates.map((candidate) => candidate.method).join(', ')
    throw new Refusal('method_not_allowed', `Use ${allow}.`, { allow })
  }
  return { route, id: decode(last) }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal('invalid_request', 'The path is not valid.')
  }
}

/** `scheme://host[:port]`, also for an app's own scheme, where `URL.origin` is `null`. */
function originOf(address: string): string {
  const url = URL.parse(address)
  return url && !url.username && !url.password ? `${url.protocol}//${url.host}` : ''
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const isService =
    isApiError(error) || isNetworkError(error) || isTimeoutError(error) || isUnexpectedResponseError(error)
  return isService
    ? new Refusal(
        'service_unavailable',
        'The purchase service cannot be reached at the moment. Try again soon.',
      )
    : new Refusal('internal_error', 'Something went wrong on the server.')
}

function report(error: unknown): void {
  console.error(
    error instanceof Error ? `[purchase-widget] ${error.name}: ${error.message}` : '[purchase-widget]',
  )
}
