/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It begins a shopper's purchases, knows what became of them,
 * and calls `onOrder`.
 */
import { within } from '../deadline.ts'
import { InvalidInputError } from '../errors.ts'
import { createBackground } from '../fulfilment/background.ts'
import type { OrderHint } from '../fulfilment/webhook.ts'
import { causeOf, sentenceOf } from '../mistakes.ts'
import type { DeadLetter } from '../stores/store.ts'
import { canDo, isObject } from '../unknown.ts'
import { Refusal } from './answer.ts'
import { createApp } from './app.ts'
import { type App, type Guard, given } from './context.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import { checkOptions } from './options.ts'
import { report } from './report.ts'
import { createServices, type OnError, type Services } from './services.ts'

/** What a merchant gets. */
export interface Companion {
  /**
   * Answers one request. The route is the end of its path, so that any mount path does, with or without being stripped.
   * Never rejects, but with InvalidInputError for what is no web `Request`, such as Express's.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** The routes as a Hono app, to be mounted in one: `app.route('/api/purchase-widget', companion.app)`. */
  readonly app: App
  /** Reads one order, or all orders of a shopper by `custom_id`, as a webhook does. Resolves when that is recorded; `onOrder` follows. */
  syncOrder(hint: OrderHint): Promise<void>
  /**
   * Reads the orders of every purchase of the last 24 hours that is not settled, and of every subscription whose next date has passed without a
   * renewal, and fulfils what was missed. A part of it runs by itself a second after the first request and every five minutes, in one instance at a
   * time: purchases of the last hour, those of the day once an hour, and 300 subscriptions. A serverless merchant calls it from a schedule.
   */
  reconcile(): Promise<void>
  deadLetters: {
    list(limit?: number): Promise<DeadLetter[]>
    /** One by its key, or all. Gives their number. */
    redrive(key?: string): Promise<number>
  }
  /**
   * Takes no new work, waits for the requests that are being answered (15 s at most), the `onOrder` that run and what is being read, and
   * closes what the store has opened. Answers end their connection meanwhile; later requests get a 503.
   */
  close(): Promise<void>
}

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

  const around: Guard = async (c, next) => {
    await answering.keep(next())
    // A server that takes no new connections goes on answering on those that it has: the next request belongs elsewhere.
    if (state !== 'open') c.header('connection', 'close')
  }

  const app = createApp({ options, services, onError, around })

  return {
    app,
    async fetch(request, info = {}) {
      checkRequest(request)
      return app.fetch(request, { [given]: info })
    },
    async syncOrder(hint) {
      await services().fulfilment.syncOrder(hint, 'trusted')
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
  if (isObject(request) && canDo(request.headers, 'get')) return
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
