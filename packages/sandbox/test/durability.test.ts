// Promise: sandbox/durable
/** With a database file, `kill -9` at any moment loses nothing that was acknowledged. */
import { join } from 'node:path'
import Big from 'big.js'
import { expect } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import type { OrderRecord } from '../src/service/orderRecord.ts'
import { createControl, type SandboxControl } from '../src/testing/index.ts'
import { type RunningCli, startCli } from './support/cli.ts'
import { test } from './support/service.ts'

const purchases = proofRuns(1000, 120)
const kills = proofRuns(20, 2)
const shoppers = 5
const workers = 8

test('kill -9 during purchases loses no acknowledged order, and limits agree with the orders', async ({
  folder,
}) => {
  const db = join(folder, 'sandbox.db')
  const acknowledged = new Map<string, string>()
  let cli = await startCli(['--db', db])
  const credentials = [cli.ready.apiKey, cli.ready.secretKey]
  const unlimited = { crypto: '999999999', digital_goods: '999999999' }
  await controlOf(cli).limits.set({ low: unlimited, full: unlimited })
  const waiting = Array.from({ length: purchases }, (_, number) => number)
  for (let kill = 0; kill < kills; kill++) {
    // In every second round payments are slow, so that some are cut off between start and end.
    await controlOf(cli).switches.set({ paymentMs: kill % 2 === 1 ? 500 : 0 })
    const share = Math.floor(waiting.length / (kills - kill + 1))
    const killAfter = acknowledged.size + 1 + Math.floor(Math.random() * (share - 2 * workers))
    const buying = buyMany(cli, waiting, (order) => {
      acknowledged.set(order.id, order.type)
      // The other workers have purchases in progress; the random delay hits every moment of a purchase.
      if (acknowledged.size === killAfter) setTimeout(() => cli.process.kill('SIGKILL'), Math.random() * 4)
    })
    await Promise.all([buying, cli.exited])
    cli = await startCli(['--db', db])
    expect([cli.ready.apiKey, cli.ready.secretKey]).toEqual(credentials)
    await expectConsistency(cli, acknowledged)
  }
  await controlOf(cli).switches.set({ paymentMs: 0 })
  await buyMany(cli, waiting, (order) => acknowledged.set(order.id, order.type))
  await expectConsistency(cli, acknowledged)
  const cut = purchases - acknowledged.size
  expect(cut).toBeGreaterThan(0)
  recordFigure(
    `sandbox: acknowledged orders lost, ${purchases} purchases, ${kills} × kill -9, ${cut} purchases cut`,
    0,
  )
  recordFigure('sandbox: limits that disagreed with the orders after a kill', 0)
  await cli.stop('SIGTERM')
}, 240_000)

const controlOf = (cli: RunningCli): SandboxControl => createControl(cli.ready.controlUrl)

/** Buys in several parallel workers until none is waiting or the process has died. Unanswered purchases are not acknowledged. */
async function buyMany(
  cli: RunningCli,
  waiting: number[],
  onAcknowledged: (order: OrderRecord) => void,
): Promise<void> {
  const buyers = Array.from({ length: workers }, async () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const order = await buy(cli, number).catch(() => null)
      if (!order) return
      onAcknowledged(order)
    }
  })
  await Promise.all(buyers)
}

const buy = (cli: RunningCli, number: number): Promise<OrderRecord> =>
  controlOf(cli).buy({
    email: `shopper-${number % shoppers}@example.com`,
    card_number: number % 4 === 0 ? '4000000000004004' : '4242424242424242',
    params: { product_id: 'castle', quote_amount: `1.${String(number).padStart(4, '0')}` },
  })

async function expectConsistency(cli: RunningCli, acknowledged: Map<string, string>): Promise<void> {
  const orders = await controlOf(cli).orders()
  const types = new Map(orders.map(({ id, type }) => [id, type]))
  for (const [id, type] of acknowledged) expect([id, types.get(id)]).toEqual([id, type])
  expect(orders.filter(({ type }) => type === 'payment_started')).toEqual([])
  for (const { email, limits } of await controlOf(cli).users()) {
    const sum = orders
      .filter((order) => order.email === email && order.type === 'order_complete')
      .reduce((total, order) => total.plus(order.quote_amount ?? 0), Big(0))
    expect([email, Big(limits.digital_goods_spending).toFixed(4)]).toEqual([email, sum.toFixed(4)])
  }
}
