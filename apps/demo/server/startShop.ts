import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import {
  createCompanion,
  createTokenLease,
  memoryStore,
  type Order,
  type PurchaseClient,
} from '@purchase-widget/server'
import { catchUp } from './catchUp.ts'
import { openDatabase, sessionSecret } from './database.ts'
import { createDeliveries } from './deliveries.ts'
import type { Journal } from './journal.ts'
import { createLaunches } from './launches.ts'
import { listen, stop } from './listen.ts'
import { createShop } from './shop.ts'
import { createShoppers } from './shopper.ts'
import type { Troubles } from './troubles.ts'
import { createWidgetUsers } from './widgetUsers.ts'

export interface ShopOptions {
  client: PurchaseClient
  journal: Journal
  /** What can be made to go wrong; nothing with the real service. */
  troubles?: Troubles
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
  close(): Promise<void>
}

/** Starts the merchant's side: pages, companion and deliveries, on one port. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { client, journal, troubles = null, port = 4000, dataDir } = options
  const { server, port: actualPort } = await listen(port)
  const url = `http://localhost:${actualPort}`
  if (dataDir) mkdirSync(dataDir, { recursive: true })
  const database = openDatabase(dataDir ? join(dataDir, 'shop.db') : ':memory:')
  const deliveries = createDeliveries(database)
  const users = createWidgetUsers(database)
  const shoppers = createShoppers(sessionSecret(database))
  const launches = createLaunches(url)
  const tokens = createTokenLease({ client })

  function fulfil(order: Order): void {
    launches.heard(order)
    const outcome = deliveries.deliver(order)
    if (outcome === 'not due') return
    journal.as(order.custom_id ?? null, () =>
      journal.note({ from: 'server', to: 'server', text: outcome, tone: 'good' }),
    )
  }

  const companion = createCompanion({
    client,
    tokens,
    allowedOrigins: [url],
    async authorize(request) {
      const customId = await shoppers.recognise(request)
      return customId ? { customId, userId: users.userIdOf(customId) } : null
    },
    // One process, whose deliveries have a unique key, and which looks for what it missed when it starts again: see catchUp.ts.
    store: memoryStore(),
    onOrder: fulfil,
    onUser({ user_id }, { customId }) {
      if (customId) users.remember(customId, user_id)
    },
    // The story shows each failed call; the terminal is for what the visitor has to know.
    onError: () => {},
  })

  const shop = createShop({
    companion,
    deliveries,
    shoppers,
    journal,
    launches,
    troubles,
    widgetUrl: client.widgetUrl,
  })
  server.on('request', getRequestListener(shop.fetch))
  // Only a kept database has a past to catch up with.
  if (dataDir) void catchUp({ client, tokens, companion, deliveries })

  return {
    url,
    webhookUrl: `${url}/api/purchase-widget/webhook`,
    async close() {
      await stop(server)
      companion.close()
      database.close()
    },
  }
}
