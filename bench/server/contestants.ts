/** A POST in Node's http and in Express: a bare handler that answers the same JSON, and the companion on each store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
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
import { postgresStore } from '@purchase-widget/server/postgres'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import express from 'express'
import { hasPostgres, openPool, startPostgres } from '../../packages/server/test/support/postgres.ts'

const { urls, credentials } = await createSandbox()
const client = createPurchaseClient({ ...urls, ...credentials })
const tokens = createTokenLease({ client })

const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-throughput-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const postgres = hasPostgres ? await startPostgres() : null
const stores: Record<string, Store> = {
  memory: memoryStore(),
  SQLite: sqliteStore(join(folder, 'shop.sqlite')),
  ...(postgres ? { Postgres: postgresStore(openPool(postgres.url)) } : {}),
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

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

type Framework = Record<'bare' | 'companion', (companion: Companion) => Server>

const frameworks: Record<string, Framework> = {
  'Node http': {
    bare: () =>
      createServer(async (request, response) => {
        await readBody(request)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      }),
    companion: (companion) => createServer(toNodeHandler(companion)),
  },
  'Express 5': {
    bare: () =>
      createServer(express().use(express.json(), (_request, response) => void response.json(answer))),
    companion: (companion) => createServer(express().use('/', toNodeHandler(companion))),
  },
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** By framework, the port of the bare handler and of the companion on each store. */
const ports: Record<string, Record<string, number>> = {}
for (const [framework, { bare, companion }] of Object.entries(frameworks)) {
  const own: Record<string, number> = { bare: await portOf(bare(companionOn(memoryStore()))) }
  for (const [name, store] of Object.entries(stores)) own[name] = await portOf(companion(companionOn(store)))
  ports[framework] = own
}

process.on('SIGTERM', async () => {
  await postgres?.close()
  process.exit()
})

/** Microseconds of processor time so far, for whoever asks. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.send?.(ports)
