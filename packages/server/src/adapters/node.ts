/** Mounts the companion in anything that speaks Node's `(req, res)`: plain http, Express, Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest } from 'srvx/node'
import type { Companion } from '../companion/createCompanion.ts'
import { report } from '../companion/report.ts'

export interface NodeHandlerOptions {
  /**
   * Believe `X-Forwarded-For`, `-Proto` and `-Host`. Default false: only for a server that nobody reaches but through a
   * proxy which sets them.
   */
  trustProxy?: boolean
}

/**
 * The promise that it gives never rejects: whoever mounts it need not wait for it. An answer that cannot be sent closes the
 * connection and is reported with `console.error`.
 *
 * @example
 * createServer(toNodeHandler(companion)).listen(3000)              // plain http
 * app.use('/api/purchase-widget', toNodeHandler(companion))        // Express
 */
export function toNodeHandler(
  companion: Companion,
  { trustProxy = false }: NodeHandlerOptions = {},
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    try {
      giveBodyBack(req)
      const request = new NodeRequest({ req, res, trustProxy })
      const { status, headers, body } = await companion.answer(request, { address: request.ip })
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

/** A body parser in front has read the stream: give its result as if it were the body. */
function giveBodyBack(req: IncomingMessage & { body?: unknown; rawBody?: unknown }): void {
  if (!req.readableEnded || req.body === undefined || req.rawBody !== undefined) return
  req.rawBody = Buffer.from(typeof req.body === 'string' ? req.body : JSON.stringify(req.body))
}
