// Promise: fulfilment/runtimes
/** What becomes of an order: on every runtime whose process goes on between requests, over both stores that outlive it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { createPurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordFigure } from '../../../scripts/proof.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts'
import { forFulfilment } from './runtimes.ts'
import { type Served, serve, shopOrigin } from './serve.ts'

interface Delivery {
  id: string
  type: string
  state: string
  reference: string
}

/** The merchant's warehouse: hears of deliveries, and can be made to refuse them, or to keep silent. */
const deliveries: Delivery[] = []
let mood: 'takes' | 'refuses' | 'hangs' = 'takes'
let warehouse: Server
let warehouseUrl: string
let postgres: PostgresServer
let folder: string

beforeAll(async () => {
  warehouse = createServer(async (request, response) => {
    const delivery = (await json(request)) as Delivery
    if (delivery.type !== 'order_complete') return response.end()
    deliveries.push(delivery)
    if (mood === 'hangs') return
    response.writeHead(mood === 'takes' ? 200 : 500).end()
  })
  await new Promise<void>((resolve) => warehouse.listen(0, '127.0.0.1', resolve))
  warehouseUrl = `http://127.0.0.1:${(warehouse.address() as AddressInfo).port}`
  postgres = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-runtimes-'))
})
afterAll(async () => {
  warehouse.close()
  warehouse.closeAllConnections()
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

const stores = ['sqlite', 'postgres'] as const
const cases = forFulfilment.flatMap((runtime) =>
  stores.map((store) => ({ ...runtime, store, runtime: `${runtime.name} (${runtime.version})` })),
)

describe.each(cases)('fulfilment on $name $version over $store', (runtime) => {
  let sandbox: Sandbox
  let key: string
  let shop: Served
  let passed = 0

  const open = async (): Promise<void> => {
    const file = join(folder, `${runtime.name}.sqlite`)
    shop = await serve(runtime, sandbox, {
      STORE: runtime.store === 'sqlite' ? `sqlite:${file}` : postgres.url,
      DELIVERIES_URL: warehouseUrl,
    })
  }
  beforeAll(async () => {
    sandbox = await createSandbox()
    key = await webhookKeyOf(createPurchaseClient({ ...sandbox.urls, ...sandbox.credentials }))
    await open()
  })
  afterAll(async () => {
    await shop?.kill()
    await sandbox.close()
    recordFigure(`fulfilment on ${runtime.runtime} over ${runtime.store}`, `${passed} of 5`)
  })

  const buy = async (shopper: string): Promise<string> => {
    const response = await fetch(`${shop.url}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `shopper=${shopper}`, origin: shopOrigin },
      body: '{"params":{"product_id":"gold-100"}}',
    })
    const { params, purchaseId } = (await response.json()) as { params: object; purchaseId: string }
    const paid = await fetch(`${sandbox.urls.controlUrl}/purchases`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ params, email: `${shopper}@example.com` }),
    })
    const { id } = (await paid.json()) as { id: string }
    purchaseOf.set(id, purchaseId)
    return id
  }
  const purchaseOf = new Map<string, string>()

  const hint = async (order_id: string): Promise<void> => {
    const { status } = await fetch(`${shop.url}/webhook/${key}`, {
      method: 'POST',
      body: JSON.stringify({ order_id }),
    })
    expect(status).toBe(202)
  }

  const delivered = (id: string): Delivery[] => deliveries.filter((delivery) => delivery.id === id)

  test('a webhook delivers what was sold, once', async () => {
    const id = await buy('ada')
    await hint(id)
    await expect.poll(() => delivered(id)).toHaveLength(1)
    expect(delivered(id)).toEqual([{ id, type: 'order_complete', state: 'matched', reference: 'basket-1' }])
    await hint(id)
    // Another order passes through the same queue after it.
    const later = await buy('bob')
    await hint(later)
    await expect.poll(() => delivered(later)).toHaveLength(1)
    expect(delivered(id)).toHaveLength(1)
    passed++
  })

  test('a delivery that is refused is tried again', async () => {
    const id = await buy('cleo')
    mood = 'refuses'
    await hint(id)
    await expect.poll(() => delivered(id)).toHaveLength(1)
    mood = 'takes'
    await expect.poll(() => delivered(id)).toHaveLength(2)
    passed++
  })

  test('a shopper who comes back brings the order, without a webhook', async () => {
    const id = await buy('dora')
    await fetch(`${shop.url}/return/${purchaseOf.get(id)}`)
    await expect.poll(() => delivered(id)).toHaveLength(1)
    passed++
  })

  test('what a killed process had begun is delivered by the next', async () => {
    const id = await buy('emil')
    mood = 'hangs'
    await hint(id)
    await expect.poll(() => delivered(id)).toHaveLength(1)
    await shop.kill()
    mood = 'takes'
    await open()
    await fetch(`${shop.url}/orders`)
    await expect.poll(() => delivered(id)).toHaveLength(2)
    passed++
  })

  test('what was paid while no process ran comes with the shopper who looks for it', async () => {
    const id = await buy('fritz')
    await shop.kill()
    await open()
    await fetch(`${shop.url}/orders`, { headers: { cookie: 'shopper=fritz' } })
    await expect.poll(() => delivered(id)).toHaveLength(1)
    passed++
  })
})
