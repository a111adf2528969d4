/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It begins a shopper's purchases, knows what became of them,
 * and calls `onOrder`.
 */
import { createBackground } from '../fulfilment/background.ts'
import { within } from '../within.ts'
import { type Answer, toResponse } from './answer.ts'
import { checkOptions } from './checkOptions.ts'
import { answerPreflight, withCors } from './cors.ts'
import { createFailureAnswer } from './failureAnswer.ts'
import { originOf, splitAddress } from './guard.ts'
import type { Companion, CompanionOptions, RequestInfo } from './options.ts'
import { remembered } from './remembered.ts'
import { report } from './report.ts'
import { findRoute } from './routeTable.ts'
import { createServices, type Services } from './services.ts'
import { urlOf } from './setting.ts'
import { visitOf } from './visit.ts'

/** For how long `close` waits for answers, in milliseconds: a listener of the merchant's may never give one. */
const ANSWERS_MS = 15_000

/**
 * Makes a companion. Nothing is read or started until the first request.
 *
 * @throws InvalidInputError without `authorize`: a companion that does not know who asks would answer everyone. Likewise for an option
 * that is unknown or malformed.
 */
export function createCompanion(options: CompanionOptions): Companion {
  checkOptions(options)
  const onError = safely(options.onError ?? report)
  const answering = createBackground()
  let made: Services | null = null

  function services(): Services {
    made ??= createServices(options, onError)
    made.fulfilment.start()
    return made
  }

  const failureAnswer = createFailureAnswer({
    onError,
    refused: async (key) => services().limits.refused(key),
    homeFor: (request) => allowedFor(request).find((origin) => /^https?:/.test(origin)),
  })

  const ownOrigin = remembered(originOf)
  const originsOf = (url: () => string): readonly string[] => options.allowedOrigins ?? [ownOrigin(url())]

  async function dispatch(request: Request, info: RequestInfo): Promise<Answer> {
    const { origin, pathname } = splitAddress(request.url)
    const { route, id, mount } = findRoute(request.method, pathname)
    const url = (): string => urlOf(options.url, origin + mount)
    const visit = visitOf({
      request,
      info,
      route,
      id,
      url,
      origins: () => originsOf(url),
      services,
      authorize: options.authorize,
    })
    if (route.access === 'open') return route.handle(visit)
    const asker = await visit.authorise()
    return route.handle({ ...services(), ...visit, ...asker })
  }

  async function answer(request: Request, info: RequestInfo): Promise<Answer> {
    const answered =
      request.method === 'OPTIONS'
        ? Promise.resolve().then(() => answerPreflight(request, allowedFor(request)))
        : dispatch(request, info)
    const answer = await answered.catch((error: unknown) => failureAnswer(error, request, info))
    return withCors(answer, request, () => allowedFor(request))
  }

  /** Never throws: without a configured address there is nobody to allow. */
  function allowedFor(request: Request): readonly string[] {
    try {
      return originsOf(() => urlOf(options.url, splitAddress(request.url).origin))
    } catch {
      return []
    }
  }

  const kept: Companion['answer'] = (request, info = {}) => answering.keep(answer(request, info))

  return {
    answer: kept,
    fetch: async (request, info) => toResponse(await kept(request, info)),
    async look(hint) {
      await services().fulfilment.look(hint, 'trusted')
    },
    reconcile: async () => services().fulfilment.reconcile(),
    deadLetters: {
      list: async (limit) => services().fulfilment.deadLetters.list(limit),
      redrive: async (key) => services().fulfilment.deadLetters.redrive(key),
    },
    async close() {
      // A token that is being given is nothing without its purchase, which the store still has to take.
      await within(ANSWERS_MS, answering.idle(), 'A request').catch(onError)
      await made?.fulfilment.close()
      await made?.store.close()
    },
  }
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
