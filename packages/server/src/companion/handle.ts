/** From a request to its answer: finds its route, which answers whoever may ask. */

import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { ErrorContext } from '../errorContext.ts'
import { idOf } from '../purchase/shopper.ts'
import { readingAs } from '../reads/reader.ts'
import type { Answer } from './answer.ts'
import { createArrivalCheck } from './arrivalCauses.ts'
import { createBelievedFor } from './believed.ts'
import { answerPreflight, withCors } from './cors.ts'
import { createFailureAnswer } from './failureAnswer.ts'
import { failureCause } from './failureCause.ts'
import { originOf, splitAddress } from './guard.ts'
import { networkOf } from './network.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import { remembered } from './remembered.ts'
import { findRoute } from './routeTable.ts'
import type { Services } from './services.ts'
import { urlOf } from './setting.ts'
import { visitOf } from './visit.ts'

/** Never rejects: a failure is an answer too. */
export type Handle = (request: Request, info: RequestInfo) => Promise<Answer>

interface HandleOptions {
  options: Pick<CompanionOptions, 'url' | 'allowedOrigins' | 'authorize'>
  onError: (error: unknown, context?: ErrorContext) => void
  /** Made with the first call. */
  services: () => Services
}

export function createHandle({ options, onError, services }: HandleOptions): Handle {
  const failureAnswer = createFailureAnswer({
    onError,
    refused: async (key) => services().limits.refused(key),
    homeFor: (request) => allowedFor(request).find((origin) => /^https?:/.test(origin)),
    causeFor: (error, request, info) =>
      failureCause({ error, request, info, believed: believedFor(request), client: clientOf() }),
  })

  const ownOrigin = remembered(originOf)
  const originsOf = (url: () => string): readonly string[] => options.allowedOrigins ?? [ownOrigin(url())]

  const believedFor = createBelievedFor(options, originsOf)
  const warnOfArrival = createArrivalCheck()

  async function dispatch(request: Request, info: RequestInfo): Promise<Answer> {
    const { origin, pathname } = splitAddress(request.url)
    const { route, id, mount } = findRoute(request.method, pathname)
    const url = (): string => urlOf(options.url, origin + mount)
    warnOfArrival(request, info, mount, believedFor)
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
    const network = info.address ? networkOf(info.address) : ''
    if (route.access === 'open') return readingAs({ network }, () => route.handle(visit))
    const asker = await visit.authorise()
    const shopper = idOf(asker.shopper)
    return readingAs({ network, shopper }, () => route.handle({ ...services(), ...visit, ...asker }))
  }

  async function handle(request: Request, info: RequestInfo): Promise<Answer> {
    const answered =
      request.method === 'OPTIONS'
        ? Promise.resolve().then(() => answerPreflight(request, allowedFor(request)))
        : dispatch(request, info)
    const answer = await answered.catch((error: unknown) => failureAnswer(error, request, info))
    return withCors(answer, request, () => allowedFor(request))
  }

  /** Never throws: without a configured address there is nobody to allow. */
  const allowedFor = (request: Request): readonly string[] => believedFor(request)?.allowed ?? []

  function clientOf(): Partial<PurchaseClient> {
    try {
      return services().client
    } catch {
      return {}
    }
  }

  return handle
}
