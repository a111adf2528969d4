/** What a request that failed is answered with. */

import type { ErrorContext } from '../errorContext.ts'
import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { type Cause, sentenceOf } from '../mistakes/table.ts'
import { TooManyReads } from '../reads/tooManyReads.ts'
import { Refusal, refuse } from './answer.ts'
import type { Ctx } from './context.ts'
import { isDevelopment } from './environment.ts'
import type { Limiter } from './limits.ts'
import type { RequestInfo } from './options.ts'
import { nameOf } from './paths.ts'
import { isForWindow, refusalPage } from './refusalPage.ts'
import { warnOf } from './report.ts'

interface FailureOptions {
  /** Sees what was not refused on purpose. */
  onError: (error: unknown, context?: ErrorContext) => void
  /** Counts refusals; a 429 `Refusal` when there were too many. */
  refused: Limiter
  /** The shop's origin, for who followed a link. */
  homeFor: (request: Request) => string | undefined
  /** What a developer can mend about it. */
  causeFor: (error: unknown, request: Request, info: RequestInfo) => Cause | null
}

export type FailureAnswer = (error: unknown, c: Ctx) => Promise<Response>

export function createFailureAnswer({ onError, refused, homeFor, causeFor }: FailureOptions): FailureAnswer {
  function answerFor(refusal: Refusal, request: Request, cause: Cause | null): Response {
    if (cause) warnOf(cause)
    // Whoever asks in production is told no more than they need.
    const reason = cause && isDevelopment() ? sentenceOf(cause) : null
    const answer = closing(refuse(refusal, reason ?? refusal.message), request)
    if (refusal.instead || !isForWindow(request)) return answer
    return refusalPage({ answer, refusal, reason, request, home: homeFor(request) })
  }

  return async (error, c) => {
    const request = c.req.raw
    const { info, network } = c.var
    const isRefusal = error instanceof Refusal
    if (isRefusal && error.cause !== undefined) onError(error.cause, { during: routeOf(request) })
    const isExpected = isRefusal || isPurchaseRefused(error) || error instanceof TooManyReads
    if (!isExpected) onError(error, { during: routeOf(request) })
    const refusal = toRefusal(error)
    const cause = causeFor(error, request, info)
    if (!isRefusal || network === null) return answerFor(refusal, request, cause)
    // What is refused has an allowance of its own, so that strangers cannot use up the shoppers'.
    try {
      await refused(network)
    } catch (failure) {
      if (failure instanceof Refusal) return answerFor(failure, request, causeFor(failure, request, info))
    }
    return answerFor(refusal, request, cause)
  }
}

/** Nobody reads what is still coming of a body: who is over an allowance does not keep a connection by sending it slowly. */
function closing(answer: Response, { method }: Request): Response {
  if (answer.status === 429 && method === 'POST') answer.headers.set('connection', 'close')
  return answer
}

/** Without the id that it may end in, which may be the webhook's key. */
const routeOf = ({ method, url }: Request): string => `${method} ${nameOf(URL.parse(url)?.pathname ?? '')}`

const wentWrong = 'Something went wrong on the server.'

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isPurchaseRefused(error)) return new Refusal('purchase_refused', error.sentence)
  if (error instanceof TooManyReads) {
    return new Refusal(
      'service_unavailable',
      'Too much is asked of the shop at the moment. Try again soon.',
      {
        headers: { 'retry-after': '3' },
      },
    )
  }
  if (error instanceof InvalidInputError) {
    // What is missing is for the log, not for the shopper. Anything else is a mistake in the shop's code.
    if (error.operation !== 'configuration') return new Refusal('internal_error', wentWrong)
    return new Refusal(
      'service_unavailable',
      'The shop cannot sell at the moment: its server is not set up yet.',
    )
  }
  if (error instanceof PurchaseError) {
    return new Refusal(
      'service_unavailable',
      'The purchase service cannot be reached at the moment. Try again soon.',
    )
  }
  return new Refusal('internal_error', wentWrong)
}
