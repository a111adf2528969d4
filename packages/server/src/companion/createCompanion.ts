/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It begins a shopper's purchases, knows what became of them,
 * and calls `onOrder`.
 */

import { InvalidInputError } from '../errors.ts'
import { createBackground } from '../fulfilment/background.ts'
import { causeOf, sentenceOf } from '../mistakes/table.ts'
import { within } from '../within.ts'
import { type Answer, Refusal, toResponse } from './answer.ts'
import { checkOptions } from './checkOptions.ts'
import { createHandle } from './handle.ts'
import type { Companion, CompanionOptions, RequestInfo } from './options.ts'
import { report } from './report.ts'
import { createServices, type OnError, type Services } from './services.ts'

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
  let state: 'open' | 'closing' | 'closed' = 'open'

  function services(): Services {
    // What would begin now could not be kept: the store is gone, or will be.
    if (state === 'closed') throw new Refusal('service_unavailable', 'This server is stopping. Try again.')
    made ??= createServices(options, onError)
    made.fulfilment.start()
    return made
  }

  const handle = createHandle({ options, onError, services })
  const answer: Companion['answer'] = (request, info = {}) => answering.keep(answered(request, info))

  async function answered(request: Request, info: RequestInfo): Promise<Answer> {
    checkRequest(request)
    const given = await handle(request, info)
    if (state === 'open') return given
    // A server that takes no new connections goes on answering on those that it has: the next request belongs elsewhere.
    return { ...given, headers: { ...given.headers, connection: 'close' } }
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
      state = 'closing'
      // A token that is being given is nothing without its purchase, which the store still has to take.
      await within(ANSWERS_MS, answering.idle(), 'A request').catch(onError)
      state = 'closed'
      await made?.fulfilment.close()
      // One that was given may be open from the start, also where no request has come.
      await (made?.store ?? options.store)?.close()
    },
  }
}

/** Plain JavaScript lets through what Express gives to a handler. */
function checkRequest(request: unknown): void {
  const headers: unknown = typeof request === 'object' && request !== null && Reflect.get(request, 'headers')
  if (typeof headers === 'object' && headers !== null && typeof Reflect.get(headers, 'get') === 'function') {
    return
  }
  throw new InvalidInputError('companion.fetch', sentenceOf(causeOf('not_a_request', {})))
}

/** The merchant's listener must not be able to stop what it listens to. */
function safely(onError: OnError): OnError {
  return (error, context) => {
    try {
      onError(error, context)
    } catch (failure) {
      report(failure)
    }
  }
}
