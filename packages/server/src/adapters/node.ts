/** Mounts the companion in anything that speaks Node's `(req, res)`: plain http, Express, Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest } from 'srvx/node'
import type { Companion } from '../companion/options.ts'
import { report } from '../companion/report.ts'
import { checkCompanion } from './checkCompanion.ts'
import { compileTrust, routeOf, type TrustProxy } from './trustedProxies.ts'

export interface NodeHandlerOptions {
  /**
   * Proxies in front whose `X-Forwarded-For`, `-Proto` and `-Host` are believed: how many there are, or their addresses and blocks.
   * Default 0. Too many let a caller choose the address that rate limits count.
   */
  trustProxy?: TrustProxy
}

/**
 * @throws InvalidInputError for what is no companion, and for a `trustProxy` that is neither a count nor addresses.
 *
 * The promise that the handler gives never rejects: whoever mounts it need not wait for it. An answer that cannot be sent closes the
 * connection and is reported with `console.error`.
 *
 * @example
 * createServer(toNodeHandler(companion)).listen(3000)              // plain http
 * app.use('/api/purchase-widget', toNodeHandler(companion))        // Express
 */
export function toNodeHandler(
  companion: Pick<Companion, 'answer'>,
  { trustProxy = 0 }: NodeHandlerOptions = {},
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  checkCompanion('toNodeHandler', companion, 'answer')
  const trusts = compileTrust(trustProxy)
  return async (req, res) => {
    try {
      giveAddressBack(req)
      giveBodyBack(req)
      const { caller, proxies } = routeOf(req.socket.remoteAddress, req.headers['x-forwarded-for'], trusts)
      const request = new NodeRequest({ req, res, trustProxy: proxies })
      const { status, headers, body } = await companion.answer(request, { address: caller })
      // Somebody else's timeout may have answered by now.
      if (res.headersSent) return
      const text = body ?? ''
      res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
    } catch (error) {
      report(error)
      res.destroy()
    }
  }
}

/** Express and its like take the mount away from the address: the companion's own has it. */
function giveAddressBack(req: IncomingMessage & { originalUrl?: string }): void {
  if (req.originalUrl !== undefined) req.url = req.originalUrl
}

/** A body parser in front has read the stream: give its result as if it were the body. */
function giveBodyBack(req: IncomingMessage & { body?: unknown; rawBody?: unknown }): void {
  if (!req.readableEnded || req.body === undefined || req.rawBody !== undefined) return
  const { body } = req
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  req.rawBody = Buffer.from(isWhole ? body : JSON.stringify(body))
}
