/** `kill -9` of the shop's server: what was paid for is handed over once, whenever the server was killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { type Control, controlOf } from './control.ts'
import { settingsOf } from './service.ts'
import { type ShopProcess, startProcess } from './shopProcess.ts'
import { visit } from './visitor.ts'

let service: Sandbox
let control: Control
let dataDir: string
let shop: ShopProcess

/** Starts the shop where it was before, or anywhere the first time. */
async function start(url?: string): Promise<void> {
  const port = url ? new URL(url).port : '0'
  shop = await startProcess(['--port', port, '--data', dataDir], settingsOf(service))
  if (url) expect(shop.url).toBe(url)
}

async function killAndRestart(): Promise<void> {
  shop.signal('SIGKILL')
  await shop.ended
  await start(shop.url)
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'demo-'))
  service = await createSandbox({ webhookRetryMs: 50 })
  control = controlOf(service.urls)
  await start()
})

afterEach(async () => {
  shop.signal('SIGKILL')
  await shop.ended
  await service.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Delivery {
  orderId: string
}

test('killed between the webhook and the delivery', async () => {
  const buyer = await visit(shop.url)
  await control.sendWebhooksTo(`${shop.url}/api/purchase-widget/webhook`)
  await control.delayReads(60_000)
  const id = await control.buy(buyer.customId)
  // The webhook is answered at once; the order itself is still being read.
  await expect.poll(() => control.deliveredWebhooks()).toBeGreaterThan(0)
  expect(await buyer.get('/api/shop/deliveries')).toEqual([])

  await control.mend()
  await killAndRestart()
  await expect.poll(() => buyer.get('/api/shop/deliveries')).toMatchObject([{ orderId: id }])
})

test('killed before the webhook, which finds nobody', async () => {
  const buyer = await visit(shop.url)
  shop.signal('SIGKILL')
  await shop.ended
  const id = await control.buy(buyer.customId)
  await start(shop.url)
  await expect.poll(() => buyer.get('/api/shop/deliveries')).toMatchObject([{ orderId: id }])
})

test('killed after the delivery, and rung again', async () => {
  const buyer = await visit(shop.url)
  const webhook = `${shop.url}/api/purchase-widget/webhook`
  await control.sendWebhooksTo(webhook)
  const id = await control.buy(buyer.customId)
  await expect.poll(() => buyer.get('/api/shop/deliveries')).toHaveLength(1)

  await killAndRestart()
  await fetch(webhook, { method: 'POST', body: JSON.stringify({ data: { order_id: id } }) })
  const next = await control.buy(buyer.customId)
  await expect.poll(() => buyer.get<Delivery[]>('/api/shop/deliveries').then(ids)).toContain(next)
  expect((await buyer.get<Delivery[]>('/api/shop/deliveries').then(ids)).sort()).toEqual([id, next].sort())
})

test('killed at any moment of a purchase', { timeout: 300_000 }, async () => {
  const runs = proofRuns(100, 5)
  const buyer = await visit(shop.url)
  await control.sendWebhooksTo(`${shop.url}/api/purchase-widget/webhook`)
  const bought: string[] = []
  for (let run = 0; run < runs; run++) {
    bought.push(await control.buy(buyer.customId))
    await sleep((run * 40) / runs)
    await killAndRestart()
  }

  await expect.poll(() => buyer.get<Delivery[]>('/api/shop/deliveries').then(ids)).toHaveLength(runs)
  const delivered = await buyer.get<Delivery[]>('/api/shop/deliveries').then(ids)
  expect(delivered.sort()).toEqual(bought.sort())
  recordFigure(
    'Purchases handed over exactly once, the demo’s server killed during each',
    `${runs} of ${runs}`,
  )
})

const ids = (deliveries: Delivery[]): string[] => deliveries.map(({ orderId }) => orderId)
