/** The service: the companion behind an HTTP server, with routes for liveness and readiness. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { toNodeHandler } from '../adapters/node.ts'
import { Refusal } from '../companion/answer.ts'
import { type Companion, createCompanion } from '../companion/createCompanion.ts'
import type { CompanionOptions } from '../companion/options.ts'
import { pathOf } from '../companion/place.ts'
import { warnTo } from '../companion/report.ts'
import { within } from '../deadline.ts'
import { codeOf } from '../errors.ts'
import { sentenceOf } from '../mistakes.ts'
import type { Store } from '../stores/store.ts'
import { ConfigurationError } from './configurationError.ts'
import { createCallHook } from './hook.ts'
import { authorizeByHook, createPurchaseByHook, onOrderByHook } from './hooks.ts'
import { authorizeByJwt } from './jwt.ts'
import { type Log, logFailure } from './log.ts'
import { askStore, openStore } from './openStore.ts'
import type { Settings } from './settings.ts'

export interface Service {
  /** Where it listens. */
  readonly address: string
  /** Accepts no new requests, waits for pending requests and running deliveries, and closes the store. */
  close(): Promise<void>
}

/** How long the store may take to answer the readiness check, in milliseconds. */
const READY_MS = 1_000

/** @throws ConfigurationError where it cannot listen or open its store; InvalidInputError where a package is missing. */
export async function runServe(settings: Settings, log: Log): Promise<Service> {
  const { trustProxy } = settings.configuration
  const store = await openStore(settings, log)
  const companion = companionFor(settings, store, log)
  const handle = toNodeHandler(companion, { trustProxy, context: (_, address) => address })
  let closing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/healthz') return say(response, 200, 'alive')
    if (request.url !== '/readyz') return handle(request, response)
    const hasAnswered = await within(READY_MS, askStore(store)).catch(() => false)
    const ready = !closing && hasAnswered
    say(response, ready ? 200 : 503, ready ? 'ready' : 'not ready')
  }

  // Longer than a proxy keeps an idle connection: the proxy closes it first.
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 },
    answer,
  )
  await listen(server, settings)
  // Finds orders that arrived while the service was down now, and not with the first shopper.
  void companion.reconcile().catch(() => {})
  const address = addressOf(server)
  log('info', 'listening', { address, url: settings.configuration.url })

  return {
    address,
    async close() {
      closing = true
      log('info', 'stopping')
      const closed = new Promise((resolve) => server.close(resolve))
      await companion.close()
      server.closeAllConnections()
      await closed
      log('info', 'stopped')
    },
  }
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${text}\n`)
}

function listen(server: Server, { configuration: { host, port }, mistakeAt }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      const problem = `cannot be used (${codeOf(error)}). Set "host" to a local address, and "port" to a free port.`
      reject(new ConfigurationError([mistakeAt(['port'], `${host}:${port} ${problem}`)]))
    })
    server.listen(port, host, resolve)
  })
}

function addressOf(server: Server): string {
  // A server that listens on a port has such an address.
  const { address, port } = server.address() as AddressInfo
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}

function companionFor({ configuration, catalogue }: Settings, store: Store, log: Log): Companion {
  const { $schema, host, port, trustProxy, secret, ...rest } = configuration
  const { store: _, authorize, createPurchase, onOrder, ...options } = rest
  const callHook = createCallHook(secret)
  warnTo((cause) => log('warn', 'mistake', { mistake: cause.mistake, message: sentenceOf(cause) }))
  // The schema ensures that there is an address where nothing replaces the hook.
  const identify = authorize.jwt
    ? authorizeByJwt(authorize.jwt, (reason) => log('warn', 'token_refused', { ...reason }))
    : authorizeByHook(callHook, { url: '', ...authorize }, configuration.url)
  return createCompanion({
    ...options,
    store,
    authorize: forStatus(identify, log),
    createPurchase: catalogue ?? createPurchaseByHook(callHook, { url: '', ...createPurchase }),
    onOrder: onOrderByHook(callHook, onOrder, log),
    // The hook's own deadline comes first, and its error says more.
    onOrderTimeout: onOrder.timeoutMs + 1_000,
    onError: (error, context) => logFailure(log, error, context),
  })
}

/** A purchase's status can be read without a session too: a hook that is down must not keep the shopper from it. */
function forStatus(authorize: CompanionOptions['authorize'], log: Log): CompanionOptions['authorize'] {
  return async (request, context) => {
    if (!pathOf(new URL(request.url).pathname).startsWith('/purchases/')) return authorize(request, context)
    try {
      return await authorize(request, context)
    } catch (error) {
      // Too many calls of one network fail no shopper here.
      if (!(error instanceof Refusal)) logFailure(log, error, { during: 'GET /purchases' })
      return null
    }
  }
}
