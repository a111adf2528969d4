/** The merchant's side: starts the shop with all its routes, pages, companion and deliveries on one port. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Companion, type PurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { actors, type Step } from '../exchange.ts'
import { createShopCompanion } from './companion.ts'
import { type Deliveries, openDeliveries } from './deliveries.ts'
import { createPages, loadDrawing, type PageParts } from './pages.ts'
import { type Journal, noteRequests } from './story.ts'
import { guard, shopperOf } from './visitor.ts'

export interface ShopOptions {
  client: PurchaseClient
  journal: Journal
  /** The sandbox's console; none with the real service. */
  consoleUrl?: string
  /** The first port to try; busy ports are skipped. 0 takes any free port. Default 4000. */
  port?: number | undefined
  /** Folder for the shop's database. Default: a temporary one, removed on close. */
  dataDir?: string | undefined
}

export interface Shop {
  /** `http://localhost:<port>`: another site than the widget's 127.0.0.1, as in production. */
  url: string
  /** Where the service should send its webhooks. */
  webhookUrl: string
  close(): Promise<void>
}

export async function startShop(options: ShopOptions): Promise<Shop> {
  const { client, journal, consoleUrl = null, port = 4000, dataDir } = options
  // The server has no request handler yet, because the shop needs to know its own address first.
  const server = await listen(port)
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'lantern-'))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'shop.db')

  const deliveries = openDeliveries(file, journal)
  const { secret } = deliveries
  const webhookKey = await webhookKeyOf(client)
  const companion = createShopCompanion({ shopUrl: url, client, file, secret, deliveries })
  const draw = await loadDrawing()
  const { widgetUrl } = client
  const pages = { draw, secret, widgetUrl, consoleUrl }
  const routes = routesOf({ companion, deliveries, journal, webhookKey, ...pages })
  server.on('request', getRequestListener(routes.fetch))
  // Fulfils orders paid while the shop was down. The shop starts even if the service is unreachable now.
  void companion.reconcile().catch(() => {})

  return {
    url,
    webhookUrl: `${url}/api/purchase-widget/webhook/${webhookKey}`,
    async close() {
      await stop(server)
      await companion.close()
      deliveries.close()
      if (!dataDir) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Listens on this port, or on the next free one. */
async function listen(port: number): Promise<Server> {
  const server = createServer()
  try {
    await once(server.listen(port, 'localhost'), 'listening')
    return server
  } catch (error) {
    if (!isTaken(error) || port >= 65_535) throw error
    return listen(port + 1)
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')

/** Stops listening and closes open connections, which browsers would keep for minutes. */
function stop(server: Server): Promise<unknown> {
  const closed = once(server.close(), 'close')
  server.closeAllConnections()
  return closed
}

interface ShopParts extends PageParts {
  companion: Companion
  deliveries: Deliveries
  journal: Journal
  webhookKey: string
}

const stepSchema = z.strictObject({
  at: z.number(),
  from: z.enum(actors),
  to: z.enum(actors),
  text: z.string().max(120),
  call: z.string().max(60).optional(),
  tone: z.enum(['good', 'bad']).optional(),
  begins: z.literal(true).optional(),
})

type Routes = Hono<{ Variables: { shopper: string } }>

function routesOf(parts: ShopParts): Routes {
  const { companion, deliveries, secret, journal, webhookKey } = parts
  const app: Routes = new Hono()
  app.use(guard)

  app.use('/api/purchase-widget/*', noteRequests({ journal, secret, webhookKey }))
  app.all('/api/purchase-widget/*', (c) =>
    companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
  )

  app.use('/api/shop/*', async (c, next) => {
    const shopper = await shopperOf(c.req.raw, secret)
    if (!shopper) return c.json({ error: { code: 'unauthorized', message: 'Visit the shop first.' } }, 401)
    c.set('shopper', shopper)
    return next()
  })
  app.get('/api/shop/deliveries', (c) => c.json(deliveries.of(c.get('shopper'))))
  app.get('/api/shop/story', (c) =>
    streamSSE(c, async (stream) => {
      const undo = journal.follow(c.get('shopper'), (step) => {
        void stream.writeSSE({ id: String(step.id), data: JSON.stringify(step) })
      })
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      undo()
    }),
  )
  app.post('/api/shop/story', async (c) => {
    const body = stepSchema.safeParse(await c.req.json().catch(() => null))
    if (!body.success) return c.body(null, 400)
    const { at, ...step } = body.data
    journal.note(step as Step, { at, shopper: c.get('shopper') })
    return c.body(null, 204)
  })

  app.route('/', createPages(parts))
  return app
}
