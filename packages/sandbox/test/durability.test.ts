// Promise: sandbox/durable
/** With a database file, `kill -9` at any moment loses nothing that was acknowledged. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Big from 'big.js'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import type { OrderRecord } from '../src/service/orderRecord.ts'
import { type RunningCli, startCli } from './support/cli.ts'

const purchases = proofRuns(1000, 120)
const kills = proofRuns(20, 2)
const shoppers = 5
const lanes = 8

interface User {
  email: string
  limits: { digital_goods_spending: string; crypto_spending: string }
}

test('kill -9 during purchases loses no acknowledged order, and limits agree with the orders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const db = join(folder, 'sandbox.db')
  const acknowledged = new Map<string, string>()
  let cli = await startCli(['--db', db, '--json'])
  const credentials = [cli.ready.apiKey, cli.ready.secretKey]
  await put(cli, 'limits', { low: unlimited, full: unlimited })
  const waiting = Array.from({ length: purchases }, (_, number) => number)
  for (let kill = 0; kill < kills; kill++) {
    // Every other time payments take a while, so that some are cut between their start and their end.
    await put(cli, 'switches', { paymentMs: kill % 2 === 1 ? 500 : 0 }, 'PATCH')
    const share = Math.floor(waiting.length / (kills - kill + 1))
    const killAfter = acknowledged.size + 1 + Math.floor(Math.random() * (share - 2 * lanes))
    const buying = buyMany(cli, waiting, (order) => {
      acknowledged.set(order.id, order.type)
      // Other lanes are in the middle of theirs; the random pause meets each moment of a purchase.
      if (acknowledged.size === killAfter) setTimeout(() => cli.process.kill('SIGKILL'), Math.random() * 4)
    })
    await Promise.all([buying, cli.exited])
    cli = await startCli(['--db', db, '--json'])
    expect([cli.ready.apiKey, cli.ready.secretKey]).toEqual(credentials)
    await expectConsistency(cli, acknowledged)
  }
  await put(cli, 'switches', { paymentMs: 0 }, 'PATCH')
  await buyMany(cli, waiting, (order) => acknowledged.set(order.id, order.type))
  await expectConsistency(cli, acknowledged)
  const cut = purchases - acknowledged.size
  expect(cut).toBeGreaterThan(0)
  recordFigure(
    `sandbox: acknowledged orders lost, ${purchases} purchases, ${kills} × kill -9, ${cut} purchases cut`,
    0,
  )
  recordFigure('sandbox: limits that disagreed with the orders after a kill', 0)
  cli.process.kill('SIGTERM')
  await cli.exited
  await rm(folder, { recursive: true })
}, 240_000)

const unlimited = { crypto: '999999999', digital_goods: '999999999' }

async function put(cli: RunningCli, path: string, body: unknown, method = 'PUT'): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${cli.ready.controlUrl}/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
}

/** Buys in several lanes, until nothing waits or the process has died. What it did not answer is not acknowledged. */
async function buyMany(
  cli: RunningCli,
  waiting: number[],
  onAcknowledged: (order: OrderRecord) => void,
): Promise<void> {
  const buyers = Array.from({ length: lanes }, async () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const order = await buy(cli, number).catch(() => null)
      if (!order) return
      onAcknowledged(order)
    }
  })
  await Promise.all(buyers)
}

async function buy(cli: RunningCli, number: number): Promise<OrderRecord> {
  const body = {
    email: `shopper-${number % shoppers}@example.com`,
    card_number: number % 4 === 0 ? '4000000000004004' : '4242424242424242',
    params: { product_id: 'castle', quote_amount: `1.${String(number).padStart(4, '0')}` },
  }
  const response = await fetch(`${cli.ready.controlUrl}/purchases`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as OrderRecord
}

async function expectConsistency(cli: RunningCli, acknowledged: Map<string, string>): Promise<void> {
  const get = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${cli.ready.controlUrl}/${path}`)).json()) as Body
  const orders = await get<OrderRecord[]>('orders')
  const { users } = await get<{ users: User[] }>('state')
  const types = new Map(orders.map(({ id, type }) => [id, type]))
  for (const [id, type] of acknowledged) expect([id, types.get(id)]).toEqual([id, type])
  expect(orders.filter(({ type }) => type === 'payment_started')).toEqual([])
  for (const { email, limits } of users) {
    const sum = orders
      .filter((order) => order.email === email && order.type === 'order_complete')
      .reduce((total, order) => total.plus(order.quote_amount ?? 0), Big(0))
    expect([email, Big(limits.digital_goods_spending).toFixed(4)]).toEqual([email, sum.toFixed(4)])
  }
}
