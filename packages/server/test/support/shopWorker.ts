/** A merchant's server as a process that can be killed: companion, SQLite store, and a shelf in the same file, which takes what it is given. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import {
  createCompanion,
  createPurchaseClient,
  type PurchaseClientOptions,
  toNodeHandler,
} from '../../src/index.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'

export interface ShopSettings {
  client: PurchaseClientOptions
  database: string
}

const settings = JSON.parse(process.argv[2] ?? '') as ShopSettings
const store = sqliteStore(settings.database)
const shelf = new DatabaseSync(settings.database)
shelf.exec(`
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT NOT NULL, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS calls (order_id TEXT NOT NULL, type TEXT NOT NULL)`)
const deliver = shelf.prepare('INSERT INTO deliveries VALUES (?, ?)')
const call = shelf.prepare('INSERT INTO calls VALUES (?, ?)')

const companion = createCompanion({
  client: createPurchaseClient(settings.client),
  store,
  authorize(request) {
    const customId = /shopper=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    return customId ? { customId } : null
  },
  url: 'https://shop.example/api/purchase-widget',
  allowedOrigins: ['https://shop.example'],
  rateLimit: { perShopper: 1_000_000, perAddress: 1_000_000 },
  onOrderTimeout: 2_000,
  createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
  onOrder({ order, purchase, complete }) {
    call.run(order.id, order.type)
    shelf.exec('BEGIN IMMEDIATE')
    try {
      if (complete(shelf) && order.type === 'order_complete') deliver.run(order.id, purchase.state)
      shelf.exec('COMMIT')
    } catch (error) {
      shelf.exec('ROLLBACK')
      throw error
    }
  },
})
const server = createServer(toNodeHandler(companion))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
