/**
 * The companion: one handler that the merchant mounts, `Request → Response`. It creates a shopper's purchases, tracks their outcome,
 * and calls `onOrder`.
 */
import { createBackground, listener, within } from '../deadline.ts'
import { InvalidInputError } from '../errors.ts'
import type { Fulfilment } from '../fulfilment/createFulfilment.ts'
import { checkHint, type OrderHint } from '../fulfilment/webhook.ts'
import { causeOf, sentenceOf, settingCause } from '../mistakes.ts'
import { canDo, isObject } from '../unknown.ts'
import { Refusal } from './answer.ts'
import { createApp } from './app.ts'
import { type App, type Guard, given } from './context.ts'
import { type CompanionOptions, checkCompanionOptions, type RequestInfo } from './options.ts'
import { report, warnOf } from './report.ts'
import { createServices, type OnError, type Services } from './services.ts'

/** The object that a merchant mounts. */
export interface Companion {
  /**
   * Answers one request. The route is the end of its path, so that any mount path works, stripped or not.
   * Never rejects, except with InvalidInputError for anything but a web `Request`, such as Express's.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** The routes as a Hono app, to be mounted in another: `app.route('/api/purchase-widget', companion.app)`. */
  readonly app: App
  /**
   * Continues what an earlier process has left: acknowledged webhooks, retries, missed orders. Otherwise the first request does. `toNodeHandler` calls
   * it; in another framework, call it when the server listens. A failure is reported to `onError`.
   */
  start(): void
  /**
   * Reads one order, or all orders of a shopper by `custom_id`, like a webhook. Resolves when the job is recorded; `onOrder` follows. Rejects
   * with InvalidInputError for a hint without an id.
   */
  syncOrder(hint: OrderHint): Promise<void>
  /**
   * Reads the orders of every unsettled purchase that could have been paid since the last whole run, and of every subscription whose next date
   * has passed without a renewal, and fulfils missed ones. Part of this runs automatically a second after start and every five minutes, in one instance at a
   * time: purchases of the last hour, all of these once an hour, and 300 subscriptions. On a serverless platform, call it from a schedule.
   */
  reconcile(): Promise<void>
  deadLetters: Fulfilment['deadLetters']
  /**
   * Starts no new work, waits for pending requests (15 s at most), running `onOrder` calls and pending reads, and
   * closes what the store has opened. Answers close their connection meanwhile; later requests receive a 503.
   */
  close(): Promise<void>
}

/** How long `close` waits for answers, in milliseconds: a listener of the merchant's may never return. */
const ANSWERS_MS = 15_000

/**
 * Creates a companion. Nothing is read or started until `start` or the first request.
 *
 * @throws InvalidInputError without `authorize`: a companion that cannot identify the caller would answer everyone. Likewise for an unknown
 * or malformed option.
 */
export function createCompanion(options: CompanionOptions): Companion {
  checkCompanionOptions(options)
  const answering = createBackground()
  let made: Services | null = null
  let state: 'open' | 'closing' | 'closed' = 'open'

  // A failure of the merchant's listener must not interrupt the companion.
  const tell = listener(options.onError ?? report, (failure) => report(failure))
  const onError: OnError = (error, context) => {
    const cause = settingCause(error, made?.client ?? {})
    // A refusal is no mistake of the setup: an order that a webhook names need not exist.
    if (cause && cause.mistake !== 'service_failing') warnOf(cause)
    tell(error, context)
  }

  function unstarted(): Services {
    // Work that started now would be lost: the store is closed, or will be.
    if (state === 'closed') throw new Refusal('service_unavailable', 'This server is stopping. Try again.')
    made ??= createServices(options, onError)
    return made
  }

  function services(): Services {
    const started = unstarted()
    started.fulfilment.start()
    return started
  }

  const around: Guard = async (c, next) => {
    await answering.keep(next())
    // A server that accepts no new connections still answers on its open ones: the next request must go elsewhere.
    if (state !== 'open') c.header('connection', 'close')
  }

  const app = createApp({ options, services, onError, around })

  return {
    app,
    async fetch(request, info = {}) {
      checkRequest(request)
      checkInfo(info)
      return app.fetch(request, { [given]: info })
    },
    start() {
      if (state !== 'open') return
      try {
        services()
      } catch (error) {
        onError(error, { during: 'start' })
      }
    },
    async syncOrder(hint) {
      checkHint(hint)
      await services().fulfilment.syncOrder(hint, 'trusted')
    },
    reconcile: async () => services().fulfilment.reconcile(),
    deadLetters: {
      list: async (limit) => unstarted().fulfilment.deadLetters.list(limit),
      redrive: async (key) => services().fulfilment.deadLetters.redrive(key),
    },
    async close() {
      state = 'closing'
      // A token that is being issued is useless without its purchase, which the store still has to save.
      await within(ANSWERS_MS, answering.idle(), 'A request').catch(onError)
      state = 'closed'
      await made?.fulfilment.close()
      // A store that was passed as an option may be open from the start, even if no request has arrived.
      await (made?.store ?? options.store)?.close()
    },
  }
}

/** In plain JavaScript an Express request may be passed here. */
function checkRequest(request: unknown): void {
  if (isObject(request) && canDo(request.headers, 'get')) return
  throw new InvalidInputError('companion.fetch', sentenceOf(causeOf('not_a_request', {})))
}

/** Bun passes its server to a `fetch` that is given to it as it is; the server's `address` is its own. */
function checkInfo({ address }: { address?: unknown }): void {
  if (address === undefined || typeof address === 'string') return
  throw new InvalidInputError('companion.fetch', ADDRESS_WANTED)
}

const ADDRESS_WANTED =
  'address must be the network address of the caller, as text. Pass only what companion.fetch takes: Bun.serve({ fetch: (request, server) => companion.fetch(request, { address: server.requestIP(request)?.address }) }).'
