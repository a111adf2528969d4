/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It gives a signed-in shopper a token, their
 * orders and nothing else.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { createDoorbell, type OnOrder, type OrderHint } from '../fulfilment/doorbell.ts'
import { InvalidInputError, PurchaseError } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { type Answer, json, Refusal, refuse } from './answer.ts'
import { checkFetchSite, checkNavigation, checkOrigin, originOf, readText, splitAddress } from './guard.ts'
import { readHint } from '../fulfilment/hint.ts'
import { createLimiter, type RateLimit } from './limits.ts'
import { report } from './report.ts'
import { findRoute, type ShopperRoute } from './routeTable.ts'
import { checkShopper, type Shopper } from './shopper.ts'
import { storeOf } from './storeOf.ts'
import type { OnUser } from './routes/user.ts'

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
  /**
   * What instances share and what outlives them: rate limits, the doorbell's queue, and which orders `onOrder` has heard of.
   * Default: this process's memory. With `onOrder` that is refused when `NODE_ENV` is `production`, and warned of elsewhere;
   * `memoryStore()` given by name is taken as it is.
   */
  store?: Store
  /**
   * Called with the order, as read from the service, once for each state (`type`) that it reaches, as far as `store` remembers.
   * Fulfil here. When it throws it is called again later. Make it idempotent with a unique key over `id` and `type`: a process
   * that is killed right after it is called once more.
   */
  onOrder?: OnOrder
  /** Called when `POST /user` has created a widget user: keep the `user_id`, and give it as `userId` from `authorize`. */
  onUser?: OnUser
  /** Sees every failure that became a 5xx or that held up `onOrder`. Default: `console.error` with name and message. */
  onError?: (error: unknown) => void
}

/** What the runtime knows and a `Request` does not say. */
export interface RequestInfo {
  /** The caller's network address, for the rate limit. */
  address?: string | undefined
  /** Keeps a serverless runtime awake until work after the answer is done. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

export interface Companion {
  /**
   * Answers one request. The route is the end of its path, so that any mount path does, with or without being stripped; it
   * must not itself end in `/orders`. Never rejects.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** What `fetch` answers, as plain values: for adapters to runtimes that have a response of their own. Never rejects. */
  answer(request: Request, info?: RequestInfo): Promise<Answer>
  /**
   * Rings the doorbell as a webhook does, e.g. from a job that looks for orders. Resolves when the ring is recorded;
   * `onOrder` follows.
   */
  ring(hint: OrderHint): Promise<void>
  /** Stops the doorbell's timer. A process may also just end. */
  close(): void
}

const WEBHOOK_LIMIT = 65_536

/**
 * @throws InvalidInputError without `authorize`: a companion that does not know who asks would answer everyone. Likewise in
 * production for an `onOrder` without a `store`, which would forget at every restart what it has delivered.
 */
export function createCompanion(options: CompanionOptions): Companion {
  const { client, tokens, authorize, allowedOrigins, rateLimit = {}, onOrder } = options
  const onUser = options.onUser ?? (() => {})
  if (typeof authorize !== 'function') {
    throw new InvalidInputError(
      'configuration',
      'createCompanion needs authorize(request), which says who is signed in; return null for nobody.',
    )
  }
  const store = storeOf(options)
  const onError = safely(options.onError ?? report)
  const limitShopper = createLimiter(store, 'shopper', rateLimit.perShopper ?? 60)
  const limitAddress = createLimiter(store, 'address', rateLimit.perAddress ?? 600)
  const doorbell = onOrder ? createDoorbell({ client, store, onOrder, onError }) : null

  async function dispatch(request: Request, info: RequestInfo): Promise<Answer> {
    const { origin, pathname } = splitAddress(request.url)
    const { route, id } = findRoute(request.method, pathname)
    // Without an address all rings share one allowance, and shoppers have only their own.
    if (info.address || route.path === 'webhook') await limitAddress(`${route.path} ${info.address ?? ''}`)
    return route.path === 'webhook'
      ? await answerRing(request, info)
      : await answerShopper(route, id, request, allowedOrigins ?? [origin], info)
  }

  /** Answers at once, whatever the body says: what it says is only a hint. */
  async function answerRing(request: Request, info: RequestInfo): Promise<Answer> {
    const hint = readHint(await readText(request, WEBHOOK_LIMIT))
    if (hint && doorbell) {
      await doorbell.ring(hint)
      info.waitUntil?.(doorbell.settled())
    }
    return json({ received: true }, 202)
  }

  async function answerShopper(
    route: ShopperRoute,
    id: string,
    request: Request,
    origins: readonly string[],
    info: RequestInfo,
  ): Promise<Answer> {
    if (route.method === 'POST') checkOrigin(request, origins)
    else if (route.navigable) checkNavigation(request)
    else checkFetchSite(request)

    const shopper = checkShopper(await authorize(request))
    await limitShopper(`${route.path} ${shopper.customId ?? ''} ${shopper.userId ?? ''}`)
    return await route.handle({
      request,
      shopper,
      id,
      client,
      tokens,
      onUser,
      allowsReturnTo: (address) => origins.includes(originOf(address)),
      notice: (orders) => {
        const noticed = doorbell?.notice(orders).then(() => doorbell.settled())
        if (noticed) info.waitUntil?.(noticed)
      },
    })
  }

  async function answer(request: Request, info: RequestInfo = {}): Promise<Answer> {
    try {
      return await dispatch(request, info)
    } catch (error) {
      if (!(error instanceof Refusal)) onError(error)
      return refuse(toRefusal(error))
    }
  }

  return {
    answer,
    async fetch(request, info) {
      const { status, headers, body } = await answer(request, info)
      return new Response(body, { status, headers })
    },
    async ring(hint) {
      if (!doorbell) throw new InvalidInputError('configuration', 'ring() needs an onOrder to call.')
      await doorbell.ring(hint)
    },
    close: () => doorbell?.close(),
  }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof PurchaseError && !(error instanceof InvalidInputError)) {
    return new Refusal(
      'service_unavailable',
      'The purchase service cannot be reached at the moment. Try again soon.',
    )
  }
  return new Refusal('internal_error', 'Something went wrong on the server.')
}

/** The merchant's listener must not be able to stop what it listens to. */
function safely(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch (failure) {
      report(failure)
    }
  }
}
