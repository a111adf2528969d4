/** Starts the merchant's side: pages, companion and deliveries, on one port. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { memoryStore, type PurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import { createShopCompanion } from './companion.ts'
import { openDatabase, sessionSecret } from './database.ts'
import { createDeliveries } from './deliveries.ts'
import { loadDrawing } from './drawing.ts'
import { createFulfilment } from './fulfil.ts'
import type { Journal } from './journal.ts'
import { listen, stop } from './listen.ts'
import { tellReads } from './observe.ts'
import { guides } from './reading.ts'
import { createShop } from './shop.ts'
import { createShoppers } from './shopper.ts'
import { startSite } from './site.ts'
import type { Troubles } from './troubles.ts'
import { createWidgetUsers } from './widgetUsers.ts'

export interface ShopOptions {
  client: PurchaseClient
  journal: Journal
  /** What can be made to go wrong, and where to look at it; nothing with the real service. */
  sandbox?: { troubles: Troubles; consoleUrl: string }
  /** The first port to try; a busy one is passed over. 0 takes any. Default 4000. */
  port?: number | undefined
  /** Folder for the shop's database. Default: in memory, forgotten at the end. */
  dataDir?: string | undefined
}

export interface Shop {
  /** `http://localhost:<port>`: another site than the widget's 127.0.0.1, as in production. */
  url: string
  /** Where the service should send its webhooks. */
  webhookUrl: string
  /** The documentation site where it has been made, else the guides as they are in the repository. */
  documentationUrl: string
  close(): Promise<void>
}

export async function startShop(options: ShopOptions): Promise<Shop> {
  const { client, journal, sandbox = null, port = 4000, dataDir } = options
  const { server, port: actualPort } = await listen(port)
  const url = `http://localhost:${actualPort}`
  const site = await startSite(port === 0 ? 0 : actualPort + 1)
  const documentationUrl = site?.url ?? `${url}${guides}`
  if (dataDir) mkdirSync(dataDir, { recursive: true })
  const file = dataDir ? join(dataDir, 'shop.db') : null
  const database = openDatabase(file ?? ':memory:')
  const deliveries = createDeliveries(database)
  const shoppers = createShoppers(database, sessionSecret(database))

  const webhookKey = await webhookKeyOf(client)
  const companion = createShopCompanion({
    url,
    client: tellReads(client, journal),
    store: file ? sqliteStore(file) : memoryStore(),
    shoppers,
    users: createWidgetUsers(database),
    onOrder: createFulfilment({ database, deliveries, journal, sharesDatabase: file !== null }),
  })
  const shop = createShop({
    companion,
    deliveries,
    shoppers,
    journal,
    webhookKey,
    sandbox,
    widgetUrl: client.widgetUrl,
    documentationUrl,
    draw: await loadDrawing(),
  })
  server.on('request', getRequestListener(shop.fetch))
  // What was paid while nobody was here. A service that cannot be reached now is no reason not to start.
  void companion.reconcile().catch(() => {})

  return {
    url,
    webhookUrl: `${url}/api/purchase-widget/webhook/${webhookKey}`,
    documentationUrl,
    async close() {
      await stop(server)
      await site?.close()
      await companion.close()
      database.close()
    },
  }
}
