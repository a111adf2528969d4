/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It begins a shopper's purchases, knows what became of them,
 * and calls `onOrder`.
 */
import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { type Answer, Refusal, refuse, toResponse } from './answer.ts'
import { authorise } from './authorise.ts'
import { checkOptions } from './checkOptions.ts'
import type { Visit } from './context.ts'
import { answerPreflight, withCors } from './cors.ts'
import { originOf, splitAddress } from './guard.ts'
import { networkOf } from './network.ts'
import type { Companion, CompanionOptions, RequestInfo } from './options.ts'
import { isForWindow, refusalPage } from './refusalPage.ts'
import { report } from './report.ts'
import { findRoute, type Route } from './routeTable.ts'
import { createServices, type Services } from './services.ts'
import { urlOf } from './setting.ts'

/**
 * Makes a companion. Nothing is read or started until the first request.
 *
 * @throws InvalidInputError without `authorize`: a companion that does not know who asks would answer everyone. Likewise for an option
 * that is unknown or malformed.
 */
export function createCompanion(options: CompanionOptions): Companion {
  checkOptions(options)
  const onError = safely(options.onError ?? report)
  let made: Services | null = null

  function services(): Services {
    made ??= createServices(options, onError)
    made.fulfilment.start()
    return made
  }

  const originsOf = (url: () => string): readonly string[] => options.allowedOrigins ?? [originOf(url())]

  async function dispatch(request: Request, info: RequestInfo): Promise<Answer> {
    const { origin, pathname } = splitAddress(request.url)
    const { route, id, mount } = findRoute(request.method, pathname)
    const visit = visitOf(request, info, route, id, () => urlOf(options.url, origin + mount))
    if (route.access === 'open') return route.handle(visit)
    const asker = await visit.authorise()
    return route.handle({ ...services(), ...visit, ...asker })
  }

  function visitOf(request: Request, info: RequestInfo, route: Route, id: string, url: () => string): Visit {
    const origins = (): readonly string[] => originsOf(url)
    const network = info.address ? networkOf(info.address) : null
    return {
      request,
      id,
      url,
      origins,
      allowsReturnTo: (address) => origins().includes(originOf(address)),
      services,
      authorise: () =>
        authorise(options.authorize, {
          request,
          route,
          origins: origins(),
          network,
          limits: services().limits,
        }),
      limitStranger: async () => services().limits.refused(`${route.path} ${network ?? ''}`),
      keepAwake: (work) => info.waitUntil?.(work.then(() => services().fulfilment.idle())),
    }
  }

  /** What is refused has an allowance of its own, so that strangers cannot use up the shoppers'. */
  async function answerFailure(error: unknown, request: Request, info: RequestInfo): Promise<Answer> {
    const isRefusal = error instanceof Refusal
    if (!isRefusal && !isPurchaseRefused(error)) onError(error)
    const refusal = toRefusal(error)
    if (!isRefusal || !info.address) return refusalFor(refusal, request)
    try {
      await services().limits.refused(networkOf(info.address))
      return refusalFor(refusal, request)
    } catch (failure) {
      return refusalFor(failure instanceof Refusal ? failure : refusal, request)
    }
  }

  async function answer(request: Request, info: RequestInfo = {}): Promise<Answer> {
    const answered =
      request.method === 'OPTIONS'
        ? Promise.resolve().then(() => answerPreflight(request, allowedFor(request)))
        : dispatch(request, info)
    return withCors(
      await answered.catch((error: unknown) => answerFailure(error, request, info)),
      request,
      () => allowedFor(request),
    )
  }

  function refusalFor(refusal: Refusal, request: Request): Answer {
    const answer = refuse(refusal)
    if (refusal.instead || !isForWindow(request)) return answer
    return refusalPage(
      answer,
      refusal.message,
      allowedFor(request).find((origin) => /^https?:/.test(origin)),
    )
  }

  /** Never throws: without a configured address there is nobody to allow. */
  function allowedFor(request: Request): readonly string[] {
    try {
      return originsOf(() => urlOf(options.url, splitAddress(request.url).origin))
    } catch {
      return []
    }
  }

  return {
    answer,
    fetch: async (request, info) => toResponse(await answer(request, info)),
    async look(hint) {
      await services().fulfilment.look(hint, 'trusted')
    },
    reconcile: async () => services().fulfilment.reconcile(),
    deadLetters: {
      list: async (limit) => services().fulfilment.deadLetters.list(limit),
      redrive: async (key) => services().fulfilment.deadLetters.redrive(key),
    },
    async close() {
      await made?.fulfilment.close()
      await made?.store.close()
    },
  }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isPurchaseRefused(error)) return new Refusal('purchase_refused', error.sentence)
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
