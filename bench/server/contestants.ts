/** A POST in Express: a bare handler that answers the same JSON, and the companion on each store. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import {
  type Companion,
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  memoryStore,
  type Store,
  toNodeHandler,
} from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import express from 'express'

const { urls, credentials } = await createSandbox()
const client = createPurchaseClient({ ...urls, ...credentials })
const tokens = createTokenLease({ client })

const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-throughput-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('SIGTERM', () => process.exit())
const stores: Record<string, Store> = {
  memory: memoryStore(),
  SQLite: sqliteStore(join(folder, 'shop.sqlite')),
}

const companionOn = (store: Store): Companion =>
  createCompanion({
    pageToken: true,
    url: 'https://shop.example/purchase-widget',
    client,
    tokens,
    authorize(request) {
      const customId = /shopper=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
      return customId ? { customId } : null
    },
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
    store,
    rateLimit: { perShopper: 1e9, perAddress: 1e9 },
  })
const { accessToken, expiresAt } = await tokens.get()
const answer = {
  purchaseId: 'bench-purchase-0000000',
  accessToken,
  widgetUrl: client.widgetUrl,
  expiresAt: expiresAt?.toISOString() ?? null,
  params: {
    product_id: 'gold-100',
    quote: 'USD',
    quote_amount: '9.99',
    custom_id: 'ada',
    redirect_url: 'https://shop.example/purchase-widget/return/bench-purchase-0000000',
    fail_redirect_url: 'https://shop.example/purchase-widget/return/bench-purchase-0000000/failed',
    redirect_page: 'self',
  },
}

async function portOf(app: RequestListener): Promise<number> {
  const server = createServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** The port of the bare handler, and of the companion on each store. */
const ports: Record<string, number> = {
  bare: await portOf(express().use(express.json(), (_request, response) => void response.json(answer))),
}
for (const [name, store] of Object.entries(stores))
  ports[name] = await portOf(express().use('/', toNodeHandler(companionOn(store))))

/** Microseconds of processor time so far, for whoever asks. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.send?.(ports)
