/** Mounts the companion in any server with Node's `(req, res)`: plain http, Express, Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http'
// The whole module: a runtime without BlockList can then still load this file.
import net from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Companion } from '../companion/createCompanion.ts'
import { misconfigured } from '../errors.ts'
import { type Checks, checkOptions, isFunction, must } from '../options.ts'
import { canDo, unlessThrows } from '../unknown.ts'

export interface NodeHandlerOptions<Req extends IncomingMessage = IncomingMessage> {
  /**
   * Proxies in front whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted: how many there are, or their addresses and blocks.
   * Default 0. With too many, a caller can choose the address that rate limits count.
   */
  trustProxy?: TrustProxy
  /**
   * Returns the second argument of `authorize`, or a promise of it, such as `(req) => req.session` in Express. Called before each `authorize`;
   * if it fails, that counts as a failure of `authorize`. `address` is the caller's, as rate limits count it.
   */
  context?: (req: Req, address: string | undefined) => unknown
}

/**
 * Starts the companion as well, so that what a killed process has left continues before the first request.
 *
 * @throws InvalidInputError for anything but a companion, and for a wrong or unknown option.
 *
 * The promise that the handler returns never rejects, so it need not be awaited.
 *
 * @example
 * createServer(toNodeHandler(companion)).listen(3000)              // plain http
 * app.use('/api/purchase-widget', toNodeHandler(companion))        // Express
 */
export function toNodeHandler<Req extends IncomingMessage = IncomingMessage>(
  companion: Pick<Companion, 'fetch'> & Partial<Pick<Companion, 'start'>>,
  options: NodeHandlerOptions<Req> = {},
): (req: Req, res: ServerResponse) => Promise<void> {
  checkCompanion('toNodeHandler', companion)
  checkOptions<NodeHandlerOptions<Req>>('toNodeHandler', options, checks)
  const { trustProxy = 0, context } = options
  const trusts = compileTrust(trustProxy)
  // After the server's own start, which may still set what the companion reads from the environment.
  setTimeout(() => companion.start?.())
  return async (req, res) => {
    giveAddressBack(req)
    giveBodyBack(req)
    const { caller, isForwarded } = routeOf(req.socket.remoteAddress, req.headers['x-forwarded-for'], trusts)
    const listener = getRequestListener(
      (request) => {
        const asked = isForwarded ? asForwarded(request) : request
        return companion.fetch(asked, {
          address: caller,
          // Read by the companion before `authorize`, so that a failure is answered and reported like one of `authorize`.
          get context() {
            return context?.(req, caller)
          },
        })
      },
      // The server's own `Request` and `Response` must not be replaced.
      { overrideGlobalObjects: false },
    )
    await listener(req, res)
  }
}

const checks: Checks<NodeHandlerOptions> = {
  // Its own message says what proxies may be.
  trustProxy: (value) => void compileTrust(value),
  context: must(isFunction, 'be a function of the request'),
}

/** The request with the address that the shopper's browser has requested, as reported by the proxy. */
function asForwarded(request: Request): Request {
  const url = new URL(request.url)
  const first = (name: string): string | undefined => request.headers.get(name)?.split(',')[0]?.trim()
  const scheme = first('x-forwarded-proto')
  const host = first('x-forwarded-host')
  if (scheme === 'http' || scheme === 'https') url.protocol = scheme
  if (host) {
    // A host without a port does not remove the port.
    url.port = ''
    url.host = host
  }
  return url.href === request.url ? request : new Request(url, request)
}

/** Restores the full address, from which Express and the like strip the mount path: the companion's own contains it. */
function giveAddressBack(req: IncomingMessage & { originalUrl?: string }): void {
  if (req.originalUrl !== undefined) req.url = req.originalUrl
}

/** Restores a body whose stream a body parser in front has already read, from the parser's result. */
function giveBodyBack(req: IncomingMessage & { body?: unknown; rawBody?: unknown }): void {
  if (!req.readableEnded || req.body === undefined || req.rawBody !== undefined) return
  const { body } = req
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // What a parser has made may not fit into JSON, such as a BigInt: then the body is missing, and the companion says so.
  const given = isWhole ? body : unlessThrows(() => JSON.stringify(body))
  if (given !== undefined) req.rawBody = Buffer.from(given)
}

/** @throws InvalidInputError for a value without `fetch`. */
export function checkCompanion(adapter: string, companion: unknown): void {
  if (canDo(companion, 'fetch')) return
  throw misconfigured(`${adapter} takes a companion: ${adapter}(createCompanion(options)).`)
}

// The addresses that a request came through, as far as they can be trusted: each proxy appends to the right of `X-Forwarded-For`.

/** How many proxies are in front, or their addresses: IPv4, IPv6, or blocks such as `10.0.0.0/8`. */
export type TrustProxy = number | readonly string[]

/** Whether the address at this distance from the server, 0 for the connection's own, is a trusted proxy. */
type Trusts = (address: string, distance: number) => boolean

/** @throws InvalidInputError for anything but a number of proxies, or addresses and blocks. */
export function compileTrust(trustProxy: unknown): Trusts {
  if (typeof trustProxy === 'number' && Number.isInteger(trustProxy) && trustProxy >= 0) {
    return (_, distance) => distance < trustProxy
  }
  const list = unlessThrows(() => listOf(trustProxy))
  if (list) return (address) => list.check(address, familyOf(address))
  throw misconfigured(
    'trustProxy must be the number of proxies in front of the server, or their addresses, e.g. 1 or ["10.0.0.0/8"].',
  )
}

/** Undefined, or throws, for anything but addresses and blocks. */
function listOf(blocks: unknown): net.BlockList | undefined {
  if (!Array.isArray(blocks)) return undefined
  const list = new net.BlockList()
  for (const block of blocks) {
    // A block without its number would be of every address.
    const [, address = '', bits] = /^([^/]+)(?:\/(\d+))?$/.exec(String(block)) ?? []
    if (net.isIP(address) === 0) return undefined
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (net.isIPv6(address) ? 'ipv6' : 'ipv4')

/** The caller, as far as the proxies are trusted, and whether there is a trusted one in front. */
export function routeOf(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusts: Trusts,
): { caller: string | undefined; isForwarded: boolean } {
  const forwarded = String(forwardedFor ?? '').split(',')
  let distance = 0
  let caller = peer
  while (caller !== undefined && trusts(caller, distance)) {
    distance++
    const next = withoutPort(forwarded.pop()?.trim() ?? '')
    if (net.isIP(next) === 0) break
    caller = next
  }
  return { caller, isForwarded: distance > 0 }
}

/** Some proxies write `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
