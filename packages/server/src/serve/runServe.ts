/** The service: the companion behind an HTTP server, with routes that say whether it lives and is ready. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { toNodeHandler } from '../adapters/node.ts'
import { compileTrust, routeOf } from '../adapters/trustedProxies.ts'
import { codeOf } from '../client/foreignErrors.ts'
import { within } from '../deadline.ts'
import type { Store } from '../stores/store.ts'
import { companionFor } from './companionFor.ts'
import type { Log } from './log.ts'
import { askStore, openStore } from './openStore.ts'
import { ConfigurationError } from './readJsonFile.ts'
import type { Settings } from './settings.ts'

export interface Service {
  /** Where it listens. */
  readonly address: string
  /** Takes no new requests, lets those under way and the deliveries that run come to an end, and closes the store. */
  close(): Promise<void>
}

/** How long the store may take to show that it is there, in milliseconds. */
const READY_MS = 1_000

/** @throws ConfigurationError where it cannot listen or open its store; InvalidInputError where a package is missing. */
export async function runServe(settings: Settings, log: Log): Promise<Service> {
  const { trustProxy } = settings.configuration
  const { store, close: closeStore } = await openStore(settings, log)
  const companion = companionFor(settings, store, log)
  const trusts = compileTrust(trustProxy)
  const addressOfCaller = ({ socket, headers }: IncomingMessage): string | undefined =>
    routeOf(socket.remoteAddress, headers['x-forwarded-for'], trusts).caller
  const handle = toNodeHandler(companion, { trustProxy, context: addressOfCaller })
  let closing = false

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/healthz') say(response, 200, 'alive')
    else if (request.url === '/readyz') void sayReadiness(response)
    else void handle(request, response)
  }

  async function sayReadiness(response: ServerResponse): Promise<void> {
    const ready = !closing && (await isReady(store))
    say(response, ready ? 200 : 503, ready ? 'ready' : 'not ready')
  }

  // Longer than a proxy keeps an idle connection: the proxy is the one to end it.
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 },
    answer,
  )
  await listen(server, settings)
  // Orders that came while the service was away are found now, not with the first shopper.
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
      await closeStore()
      log('info', 'stopped')
    },
  }
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${text}\n`)
}

async function isReady(store: Store): Promise<boolean> {
  try {
    await within(READY_MS, askStore(store))
    return true
  } catch {
    return false
  }
}

function listen(server: Server, { configuration, mistakeAt }: Settings): Promise<void> {
  const { host, port } = configuration
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const [setting, problem] = whyNot(codeOf(error), port)
      reject(new ConfigurationError([mistakeAt([setting], `${configuration[setting]} ${problem}`)]))
    })
    server.listen(port, host, resolve)
  })
}

/** Which setting the system refuses, and what to do. */
function whyNot(code = 'unknown', port: number): ['host' | 'port', string] {
  if (code === 'EADDRINUSE') return ['port', 'is taken. Stop what listens there, or configure another port.']
  if (code === 'EACCES') return ['port', 'is not for this user to listen on. Configure one above 1023.']
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return ['host', 'is no address of this machine. Name one that it has, e.g. "127.0.0.1".']
  return ['host', `cannot be listened on at port ${port} (${code}).`]
}

function addressOf(server: Server): string {
  // A server that listens on a port has one.
  const { address, port } = server.address() as AddressInfo
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}
