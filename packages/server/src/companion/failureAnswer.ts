/** What a request that failed is answered with. */

import { type ErrorContext, InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { type Cause, sentenceOf } from '../mistakes/table.ts'
import { TooManyReads } from '../reads/turns.ts'
import { Refusal, refuse } from './answer.ts'
import type { Ctx, Opening } from './context.ts'
import { webOrigins } from './guard.ts'
import type { Limiter } from './limits.ts'
import { isFramed } from './navigation.ts'
import type { RequestInfo } from './options.ts'
import { nameOf } from './paths.ts'
import { isForWindow, refusalPage } from './refusalPage.ts'
import { warnOf } from './report.ts'
import type { Services } from './services.ts'
import { isDevelopment } from './setting.ts'

interface FailureOptions {
  /** Sees what was not refused on purpose. */
  onError: (error: unknown, context?: ErrorContext) => void
  /** Counts refusals; a 429 `Refusal` when there were too many. */
  refused: Limiter
  /** The origins of the merchant's own pages. */
  allowedFor: (request: Request) => readonly string[]
  /** What a developer can fix about it. */
  causeFor: (error: unknown, request: Request, info: RequestInfo) => Cause | null
}

export type FailureAnswer = (error: unknown, c: Ctx) => Promise<Response>

export function createFailureAnswer({
  onError,
  refused,
  allowedFor,
  causeFor,
}: FailureOptions): FailureAnswer {
  function answerFor(refusal: Refusal, c: Ctx, cause: Cause | null): Response {
    const request = c.req.raw
    if (cause) warnOf(cause)
    // Whoever asks in production is told no more than they need.
    const reason = cause && isDevelopment() ? sentenceOf(cause) : null
    if (refusal.instead && !isFramed(request)) return refusal.instead
    const answer = closing(refuse(refusal, reason ?? refusal.message), request)
    if (!isForWindow(request) && !refusal.instead) return answer
    const shops = webOrigins(allowedFor(request))
    return refusalPage({ answer, refusal, reason, request, shops, opening: c.var.opening })
  }

  return async (error, c) => {
    const request = c.req.raw
    const { info, network, opening, services } = c.var
    const isRefusal = error instanceof Refusal
    if (isRefusal && error.cause !== undefined) onError(error.cause, { during: routeOf(request) })
    const isExpected = isRefusal || isPurchaseRefused(error) || error instanceof TooManyReads
    if (!isExpected) onError(error, { during: routeOf(request) })
    const refusal = toRefusal(error)
    const cause = causeFor(error, request, info)
    // What is refused has an allowance of its own, so that unauthenticated callers cannot use up the shoppers'.
    try {
      if (isRefusal && network !== null) await refused(network)
    } catch (failure) {
      if (failure instanceof Refusal) return answerFor(failure, c, causeFor(failure, request, info))
    }
    if (opening) await keepRefusal(services, opening, refusal)
    return answerFor(refusal, c, cause)
  }
}

/** For the page that has opened it: what a frame or window shows of another page cannot be read. */
async function keepRefusal(services: () => Services, opening: Opening, refusal: Refusal): Promise<void> {
  try {
    await services().refusals.keep(opening.purchaseId, opening.caller, refusal)
  } catch {
    // A companion that is not set up has no store either: `onError` has heard of it.
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
