/** What a request that failed is answered with. */

import { InvalidInputError, isPurchaseRefused, PurchaseError } from '../errors.ts'
import { type Cause, sentenceOf } from '../mistakes/table.ts'
import { TooManyReads } from '../reads/turns.ts'
import { Refusal, refuse } from './answer.ts'
import { failureCause } from './causes.ts'
import { type Ctx, placeIfKnown } from './context.ts'
import { isFramed } from './guard.ts'
import { isDevelopment, pathOf, webOrigins } from './place.ts'
import { isForWindow, refusalPage } from './refusalPage.ts'
import { warnOf } from './report.ts'
import type { OnError } from './services.ts'

export type FailureAnswer = (error: unknown, c: Ctx) => Promise<Response>

/** @param onError sees what was not refused on purpose. */
export function createFailureAnswer(onError: OnError): FailureAnswer {
  return async (error, c) => {
    const during = routeOf(c.req.raw)
    const isRefusal = error instanceof Refusal
    if (isRefusal && error.cause !== undefined) onError(error.cause, { during })
    const isExpected = isRefusal || isPurchaseRefused(error) || error instanceof TooManyReads
    if (!isExpected) onError(error, { during })
    const refusal = toRefusal(error)
    const cause = failureCause(error, c)
    // What is refused has an allowance of its own, so that unauthenticated callers cannot use up the shoppers'.
    try {
      const network = c.get('network')
      if (isRefusal && network !== null) c.get('services')().limits.refused(network)
    } catch (failure) {
      if (failure instanceof Refusal) return answerFor(failure, c, failureCause(failure, c))
    }
    await keepRefusal(c, refusal)
    return answerFor(refusal, c, cause)
  }
}

function answerFor(refusal: Refusal, c: Ctx, cause: Cause | null): Response {
  const request = c.req.raw
  if (cause) warnOf(cause)
  // Whoever asks in production is told no more than they need.
  const reason = cause && isDevelopment() ? sentenceOf(cause) : null
  if (refusal.instead && !isFramed(request)) return refusal.instead
  const answer = refuse(refusal, reason ?? refusal.message)
  // Nobody reads what is still coming of a body: who is over an allowance does not keep a connection by sending it slowly.
  if (answer.status === 429 && request.method === 'POST') answer.headers.set('connection', 'close')
  if (!isForWindow(request) && !refusal.instead) return answer
  const shops = webOrigins(placeIfKnown(c)?.shops ?? [])
  return refusalPage({ answer, refusal, reason, request, shops, opening: c.get('opening') })
}

/** For the page that has opened it: what a frame or window shows of another page cannot be read. */
async function keepRefusal(c: Ctx, refusal: Refusal): Promise<void> {
  const opening = c.get('opening')
  if (!opening) return
  try {
    await c.get('services')().refusals.keep(opening.purchaseId, opening.caller, refusal)
  } catch {
    // A companion that is not set up has no store either: `onError` has heard of it.
  }
}

/** For the log: without the id that the path may end in, which may be the webhook's key. */
function routeOf({ method, url }: Request): string {
  const path = pathOf(URL.parse(url)?.pathname ?? '')
  return `${method} ${path.replace(/^\/(orders|purchases|webhook|return)\/.*$/, '/$1/:id')}`
}

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
