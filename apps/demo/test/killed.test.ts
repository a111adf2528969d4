/** `kill -9` of the shop's server: what was paid for is delivered once, whenever the server was killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { createPurchaseClient, webhookKeyOf } from '@purchase-widget/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/freePort.ts'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { type Control, controlOf } from './control.ts'
import { settingsOf } from './service.ts'
import { type ShopProcess, startProcess } from './shopProcess.ts'
import { type Visitor, visit } from './visitor.ts'

let service: Sandbox
let control: Control
let dataDir: string
let shop: ShopProcess

/** Starts the shop where it was before; the first time where nobody else comes to while it is down. */
async function start(url?: string): Promise<void> {
  const port = url ? new URL(url).port : String(await freePort())
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

/** What a killed process had taken comes back when its hold has ended, which is within a minute and a half. */
const afterHold = { timeout: 150_000 }

/** Where this shop's webhooks arrive. */
async function webhookUrl(): Promise<string> {
  const key = await webhookKeyOf(createPurchaseClient({ ...service.urls, ...service.credentials }))
  return `${shop.url}/api/purchase-widget/webhook/${key}`
}

/** A whole purchase of 100 gold; resolves to the order's id. */
async function buy(buyer: Visitor): Promise<string> {
  const { params } = await buyer.begin('gold-100')
  return control.pay(params)
}

test('a server that is killed between the webhook and the delivery delivers once', {
  timeout: 300_000,
}, async () => {
  const buyer = await visit(shop.url)
  await control.sendWebhooksTo(await webhookUrl())
  await control.delayReads(60_000)
  const id = await buy(buyer)
  // The webhook is answered at once; the order itself is still being read.
  await expect.poll(() => control.deliveredWebhooks()).toBeGreaterThan(0)
  expect(await buyer.delivered()).toEqual([])

  await control.heal()
  await killAndRestart()
  await expect.poll(() => buyer.delivered(), afterHold).toEqual([id])
})

test('a server that is killed before the webhook, which finds nobody, delivers once', async () => {
  const buyer = await visit(shop.url)
  const { params } = await buyer.begin('gold-100')
  shop.signal('SIGKILL')
  await shop.ended
  const id = await control.pay(params)
  await start(shop.url)
  await expect.poll(() => buyer.delivered()).toEqual([id])
})

test('a server that is killed after the delivery, and gets the webhook again, delivers once', async () => {
  const buyer = await visit(shop.url)
  const webhook = await webhookUrl()
  await control.sendWebhooksTo(webhook)
  const id = await buy(buyer)
  await expect.poll(() => buyer.delivered()).toEqual([id])

  await killAndRestart()
  await fetch(webhook, { method: 'POST', body: JSON.stringify({ data: { order_id: id } }) })
  const next = await buy(buyer)
  await expect.poll(() => buyer.delivered()).toContain(next)
  expect((await buyer.delivered()).sort()).toEqual([id, next].sort())
})

test('a server that is killed at any moment of a purchase delivers once', { timeout: 300_000 }, async () => {
  const runs = proofRuns(100, 2)
  const buyer = await visit(shop.url)
  await control.sendWebhooksTo(await webhookUrl())
  const bought: string[] = []
  for (let run = 0; run < runs; run++) {
    // The companion refuses more than sixty purchases a minute of one shopper.
    const slowEnough = sleep(proofRuns(1_050, 0))
    bought.push(await buy(buyer))
    await sleep((run * 40) / runs)
    await killAndRestart()
    await slowEnough
  }

  await expect.poll(() => buyer.delivered(), afterHold).toHaveLength(runs)
  expect((await buyer.delivered()).sort()).toEqual(bought.sort())
  recordFigure('Purchases delivered exactly once, the demo’s server killed during each', `${runs} of ${runs}`)
})
