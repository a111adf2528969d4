/** Starts the merchant's side: pages, companion and deliveries, on one port. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { type PurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { createShopCompanion } from './companion.ts'
import { openDeliveries } from './deliveries.ts'
import type { Journal } from './journal.ts'
import { tellReads } from './observe.ts'
import { loadDrawing } from './pages.ts'
import { createShop } from './shop.ts'

export interface ShopOptions {
  client: PurchaseClient
  journal: Journal
  /** The sandbox's console; none with the real service. */
  consoleUrl?: string
  /** The first port to try; a busy one is passed over. 0 takes any. Default 4000. */
  port?: number | undefined
  /** Folder for the shop's database. Default: a temporary one, removed at the end. */
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
  // It has no listener yet: the shop needs to know its own address first.
  const server = await listen(port)
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'lantern-'))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'shop.db')

  const deliveries = openDeliveries(file, journal)
  const { secret } = deliveries
  const webhookKey = await webhookKeyOf(client)
  const reader = tellReads(client, journal)
  const companion = createShopCompanion({ shopUrl: url, client: reader, file, secret, deliveries })
  const draw = await loadDrawing()
  const { widgetUrl } = client
  const pages = { draw, secret, widgetUrl, consoleUrl }
  const shop = createShop({ companion, deliveries, journal, webhookKey, ...pages })
  server.on('request', getRequestListener(shop.fetch))
  // What was paid while the shop was down. A service that cannot be reached now is no reason not to start.
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

/** On this port, or on the next that is free. */
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

/** Stops listening and ends what is still connected: browsers keep connections open for minutes. */
function stop(server: Server): Promise<unknown> {
  const closed = once(server.close(), 'close')
  server.closeAllConnections()
  return closed
}
