/** A merchant's server as a process that can be killed: companion, Redis store, and fulfilments in SQLite with a unique key. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import {
  createPurchaseClient,
  createTokenLease,
  type PurchaseClientOptions,
  toNodeHandler,
} from '../../src/index.ts'
import { redisStore } from '../../src/stores/redis.ts'
import { companionOf } from './companion.ts'

export interface ShopSettings {
  client: PurchaseClientOptions
  socket: string
  database: string
}

const settings = JSON.parse(process.argv[2] ?? '') as ShopSettings
const database = new DatabaseSync(settings.database)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS fulfilments (order_id TEXT PRIMARY KEY, item TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS calls (order_id TEXT NOT NULL, type TEXT NOT NULL)`)
const fulfil = database.prepare('INSERT INTO fulfilments VALUES (?, ?) ON CONFLICT DO NOTHING')
const call = database.prepare('INSERT INTO calls VALUES (?, ?)')

const client = createPurchaseClient(settings.client)
const store = redisStore(new Redis(settings.socket))
const companion = companionOf(client, {
  tokens: createTokenLease({ client, store }),
  store,
  rateLimit: { perShopper: 1_000_000, perAddress: 1_000_000 },
  onOrder({ id, type, product_id }) {
    call.run(id, type)
    if (type === 'order_complete') fulfil.run(id, product_id ?? '')
  },
})
const server = createServer(toNodeHandler(companion))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
