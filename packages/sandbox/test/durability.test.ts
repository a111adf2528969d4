/** With a database file, `kill -9` at any moment loses nothing that was acknowledged. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Big from 'big.js'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import type { OrderRecord } from '../src/records/order.ts'
import { type RunningCli, startCli } from './support/cli.ts'

const purchases = proofRuns(1000, 120)
const kills = proofRuns(20, 4)
const shoppers = 5

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
  let attempted = 0
  for (let kill = 0; kill <= kills; kill++) {
    const batch = Math.ceil(purchases / (kills + 1))
    // Every other time payments take a while, so that some are cut between their start and their end.
    const paymentMs = kill % 2 === 1 && kill < kills ? 500 : 0
    await put(cli, 'switches', { paymentMs }, 'PATCH')
    const buying = buyMany(cli, attempted, batch, acknowledged)
    attempted += batch
    if (kill === kills) {
      await buying
      break
    }
    // Random, so that over many kills each moment of a purchase is met.
    setTimeout(() => cli.process.kill('SIGKILL'), Math.random() * batch * (paymentMs === 0 ? 6 : 60))
    await Promise.all([buying, cli.exited])
    cli = await startCli(['--db', db, '--json'])
    expect([cli.ready.apiKey, cli.ready.secretKey]).toEqual(credentials)
    await expectConsistency(cli, acknowledged)
  }
  await expectConsistency(cli, acknowledged)
  expect(acknowledged.size).toBeGreaterThan(0)
  recordFigure(`sandbox: acknowledged orders lost in ${attempted} purchases with ${kills} × kill -9`, 0)
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

/** Buys eight at a time; what the process did not live to answer is not acknowledged. */
async function buyMany(
  cli: RunningCli,
  from: number,
  count: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  const lanes = Array.from({ length: 8 }, async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const order = await buy(cli, number).catch(() => null)
      if (order) acknowledged.set(order.id, order.type)
    }
  })
  await Promise.all(lanes)
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
