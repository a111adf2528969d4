// Promise: fulfilment/soak
/**
 * Four instances over Postgres under mixed load, for half an hour: their memory stays flat, nothing fails, and every order is delivered once.
 * `SOAK_MINUTES` makes it shorter.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import { numbers } from '../support/load.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { buyAt, openShopFleet, type ShopFleet, sendWebhook } from '../support/shopFleet.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const INSTANCES = 4
const SHOPPERS = 8
const PAUSE_MS = 500
const SAMPLE_EVERY_MS = 15_000
const HOUR = 3_600_000
const MB = 1_048_576

interface Sample {
  at: number
  heap: number
  rss: number
  /** Seconds of a core, of all instances. */
  cpu: number
}

let server: PostgresServer
let service: Service
let fleet: ShopFleet

beforeAll(async () => {
  server = await startPostgres()
  service = await startService()
  const database = { kind: 'postgres', url: server.url, schema: 'soak' } as const
  fleet = await openShopFleet(INSTANCES, { client: service.settings, database, completes: true })
})
afterAll(async () => {
  await fleet.close()
  await service.close()
  await server.close()
})

/** Mean over the instances, in MB. */
async function sample(): Promise<Sample> {
  const all = await fleet.usage()
  const mean = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length / MB
  return {
    at: Date.now(),
    heap: mean(all.map((one) => one.heapUsed)),
    rss: mean(all.map((one) => one.rss)),
    cpu: all.reduce((sum, one) => sum + one.cpu, 0),
  }
}

/** Least squares, in units an hour. */
function slope(samples: readonly Sample[], of: 'heap' | 'rss'): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [at, value] = [mean(samples.map((one) => one.at)), mean(samples.map((one) => one[of]))]
  const sum = (term: (one: Sample) => number): number => samples.reduce((all, one) => all + term(one), 0)
  return (sum((one) => (one.at - at) * (one[of] - value)) / sum((one) => (one.at - at) ** 2)) * HOUR
}

test('memory is flat, nothing fails, and each order is delivered once', {
  timeout: minutes * 60_000 + 900_000,
}, async () => {
  const key = await webhookKeyOf(service.client())
  const endsAt = Date.now() + minutes * 60_000
  const paid: string[] = []
  const refused = new Map<string, number>()
  let calls = 0

  function note(what: string, status: number, expected: readonly number[]): void {
    calls++
    if (!expected.includes(status))
      refused.set(`${what} ${status}`, (refused.get(`${what} ${status}`) ?? 0) + 1)
  }

  async function read(path: string, shopper: string): Promise<void> {
    const answer = await fetch(fleet.url() + path, { headers: { cookie: `shopper=${shopper}` } }).catch(
      () => null,
    )
    await answer?.body?.cancel()
    note(path.replace(/[0-9a-zA-Z_-]{20,}/, 'ID'), answer?.status ?? 0, [200])
  }

  async function shop(number: number): Promise<void> {
    for (let round = 0; Date.now() < endsAt; round++) {
      const shopper = `shopper-${number}-${round >> 2}`
      const { purchaseId, order } = await buyAt(fleet, service, shopper)
      calls++
      paid.push(order.id)
      // One in twenty is never announced, and is found by a poll or by reconciliation.
      if (round % 20 !== 0) note('webhook', await sendWebhook(fleet, `/webhook/${key}`, order.id), [202])
      note(
        'webhook without the key',
        await sendWebhook(fleet, '/webhook', `forged-${number}-${round}`),
        [202, 429],
      )
      await read(`/purchases/${purchaseId}`, shopper)
      if (round % 5 === 0) await read('/orders', shopper)
      await sleep(PAUSE_MS)
    }
  }

  const samples: Sample[] = []
  const shopping = Promise.all(numbers(SHOPPERS).map(shop))
  while (Date.now() < endsAt) {
    samples.push(await sample())
    await sleep(SAMPLE_EVERY_MS)
  }
  await shopping

  const { count } = fleet.shelf
  const delivered = (): Promise<number> => count('SELECT count(DISTINCT order_id) FROM deliveries')
  await expect.poll(delivered, { timeout: 600_000, interval: 1_000 }).toBe(paid.length)
  const twice = await count('SELECT count(*) - count(DISTINCT order_id) FROM deliveries')
  // Code compiled and data cached in the first minutes are not growth.
  const steady = samples.filter(({ at }) => at > endsAt - minutes * 60_000 * 0.75)
  const [heap, rss] = [slope(steady, 'heap'), slope(steady, 'rss')]
  const last = samples.at(-1)
  const cpu = (last?.cpu ?? 0) - (samples[0]?.cpu ?? 0)
  const bytes = await count(
    `SELECT sum(pg_total_relation_size(tables.oid)) FROM pg_class AS tables JOIN pg_namespace AS schemas
      ON schemas.oid = relnamespace WHERE nspname = 'soak' AND relkind = 'r'`,
  )
  const failed = [...refused.values()].reduce((sum, times) => sum + times, 0)
  recordFigure(
    `soak: ${minutes} minutes, ${INSTANCES} instances over Postgres`,
    [
      `${paid.length} orders, ${calls} calls, ${failed} failed, ${fleet.errors.size} kinds of errors, ${twice} delivered twice`,
      `heap ${last?.heap.toFixed(1)} MB, ${heap.toFixed(2)} MB an hour; resident ${last?.rss.toFixed(0)} MB, ${rss.toFixed(1)} MB an hour`,
      `${((cpu / paid.length) * 1_000).toFixed(0)} ms of a core an order; ${(bytes / paid.length / 1_024).toFixed(1)} KiB an order in Postgres`,
    ].join('; '),
  )
  expect([...refused]).toEqual([])
  expect([...fleet.errors]).toEqual([])
  expect(twice).toBe(0)
  if (minutes >= 10) expect(heap).toBeLessThan(4)
})
