// Promises: fulfilment/stuck, fulfilment/dead-letters
/**
 * Among good orders, some throw each time, some never settle, some settle long after their deadline, and one stops its whole process: the good
 * ones are delivered in time, the rest are taken over or end as dead letters after twelve attempts, and with `complete()` none is delivered twice.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest'
import { full, proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import type { StoreOf } from '../stores/storeProcess.ts'
import { inParallel, numbers, p99 } from '../support/load.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { buyAt, openShopFleet, type ShopFleet, sendUntilAcknowledged } from '../support/shopFleet.ts'
import { folderOfThisFile } from '../support/untilTheEnd.ts'

const folder = folderOfThisFile()
let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const INSTANCES = 3
const ATTEMPTS = numbers(12).map((index) => index + 1)
const byNumber = (one: number, other: number): number => one - other
/** Asserted in full only: a few orders on a busy machine say nothing about time. */
const IN_TIME_MS = 15_000

const good = proofRuns(400, 30)
/** By what becomes of them. The hung ones together leave some of an instance's sixteen workers free. */
const bad = {
  poisoned: proofRuns(40, 6),
  hung: proofRuns(12, 3),
  once: proofRuns(6, 2),
  late: proofRuns(6, 2),
}

type Expect = Pick<TestContext, 'expect'>

function shopOf(fleet: ShopFleet, path: string) {
  const { shelf } = fleet
  /** Buys so many, each by a shopper of its own. */
  async function buy(fate: string, count: number): Promise<string[]> {
    const ids: string[] = []
    await inParallel(numbers(count), 4, async (index) => {
      ids.push((await buyAt(fleet, service, `${fate}-${index}`)).order.id)
    })
    return ids
  }
  const send = (id: string): Promise<void> => sendUntilAcknowledged(fleet, path, id)
  const deliveries = async (): Promise<Map<string, number>> => {
    const rows = await shelf.query('SELECT order_id, count(*) AS times FROM deliveries GROUP BY order_id')
    return new Map(rows.map(({ order_id, times }) => [String(order_id), Number(times)]))
  }
  /** Milliseconds until each is delivered, a few at a time. */
  async function deliver(ids: readonly string[], { expect }: Expect): Promise<number[]> {
    const sentAt = new Map<string, number>()
    await inParallel(ids, 4, async (id) => {
      sentAt.set(id, Date.now())
      await send(id)
      await sleep(20)
    })
    const missing = async (): Promise<string[]> => {
      const delivered = await deliveries()
      return ids.filter((id) => !delivered.has(id))
    }
    await expect.poll(missing, { timeout: 120_000, interval: 100 }).toEqual([])
    const rows = await shelf.query('SELECT order_id, min(at) AS at FROM deliveries GROUP BY order_id')
    const at = new Map(rows.map((row) => [String(row.order_id), Number(row.at)]))
    return ids.map((id) => (at.get(id) ?? 0) - (sentAt.get(id) ?? 0))
  }
  return { buy, send, deliver, deliveries }
}

/** An order stops the process in `onOrder`. Returns the milliseconds until it is delivered by another; then the first one goes on. */
async function freeze(
  fleet: ShopFleet,
  { buy, send, deliver, deliveries }: ReturnType<typeof shopOf>,
  { expect }: Expect,
): Promise<number> {
  const [frozen = ''] = await buy('frozen', 1)
  const started = performance.now()
  // The process that receives it may stop before it answers.
  const sending = send(frozen)
  await expect.poll(async () => (await deliveries()).has(frozen), { timeout: 60_000 }).toBe(true)
  const ms = Math.round(performance.now() - started)
  const calls = await fleet.shelf.count(`SELECT count(*) FROM calls WHERE order_id = '${frozen}'`)
  fleet.thaw()
  await sending
  await deliver(await buy('good', 1), { expect })
  // Each call of `onOrder` is counted when it begins, and when it delivers: the one that stopped has only begun.
  expect(calls).toBe(3)
  return ms
}

/** @param expect the test's own: of concurrent tests, the global one belongs to the last that started. */
async function sell(of: StoreOf, { expect }: Expect): Promise<void> {
  const started = performance.now()
  const patience = { onOrderTimeout: proofRuns(3_000, 1_000), waits: proofRuns(1 / 2_000, 1 / 20_000) }
  const settings = { client: service.settings, database: of, completes: true, ...patience }
  const fleet = await openShopFleet(INSTANCES, settings)
  const { shelf } = fleet
  const shop = shopOf(fleet, `/webhook/${await webhookKeyOf(service.client())}`)
  const { buy, send, deliver, deliveries } = shop
  try {
    const [first = '', ...before] = await buy('quiet', good / 2)
    const beside = await buy('good', good / 2)
    const [poisoned, hung] = [await buy('poisoned', bad.poisoned), await buy('hung', bad.hung)]
    const late = [...(await buy('once', bad.once)), ...(await buy('late', bad.late))]
    const stuck = [...poisoned, ...hung]

    const quiet = await deliver([first, ...before], { expect })
    await inParallel([...hung, ...late, ...poisoned], 8, send)
    const disturbed = await deliver(beside, { expect })
    await deliver(late, { expect })
    const letters = async (): Promise<number> => {
      // An instance that is idle looks for jobs every five seconds only.
      await send(first)
      return (await shelf.store.jobs.deadLetters(1_000)).length
    }
    await expect.poll(letters, { timeout: 180_000, interval: 100 }).toBe(stuck.length)
    const frozenMs = full ? await freeze(fleet, shop, { expect }) : 0
    // A late one must have settled before it can be said that it has delivered nothing more.
    await sleep(3 * patience.onOrderTimeout)
    const dead = await shelf.store.jobs.deadLetters(1_000)
    const reasonOf = new Map(dead.map(({ key, reason }) => [String(JSON.parse(key).order_id), reason]))
    const delivered = await deliveries()
    const twice = [...delivered.values()].filter((times) => times > 1).length
    recordFigure(
      `${good} orders by ${INSTANCES} × ${of.kind}, beside ${Object.entries(bad)
        .map(([fate, count]) => `${count} ${fate}`)
        .join(', ')}`,
      `${quiet.length + disturbed.length} of ${good} delivered, at p99 in ${p99(disturbed)} ms (${p99(quiet)} ms without the others), the slowest in ${Math.max(...disturbed)} ms; ` +
        `taken over: ${late.filter((id) => delivered.has(id)).length} of ${late.length}; dead letters: ${dead.length} of ${stuck.length}${full ? `; the order of a stopped process delivered after ${frozenMs} ms` : ''}; ${twice} delivered twice; ` +
        `${Math.round((performance.now() - started) / 1_000)} s`,
    )
    if (full) expect(Math.max(...disturbed)).toBeLessThan(IN_TIME_MS)
    expect(twice).toBe(0)
    expect(stuck.filter((id) => delivered.has(id))).toEqual([])
    // An attempt may also fail before it calls onOrder: each has its report.
    for (const id of stuck) expect([...(fleet.failed.get(id) ?? [])].sort(byNumber), id).toEqual(ATTEMPTS)
    for (const id of late) expect(fleet.failed.get(id)?.has(1), id).toBe(true)
    expect(dead.map(({ attempts }) => attempts)).toEqual(dead.map(() => ATTEMPTS.length))
    expect([...new Set(poisoned.map((id) => reasonOf.get(id)))]).toEqual(['Error: poisoned'])
    for (const id of hung) expect(reasonOf.get(id)).toMatch(/^TimeoutError: onOrder/)
  } finally {
    await fleet.close()
  }
}

describe('orders that get stuck', { concurrent: true, timeout: 600_000 }, () => {
  describe.skipIf(!hasPostgres)('over Postgres', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.close())

    test('delay no other over Postgres', (context) =>
      sell({ kind: 'postgres', url: server.url, schema: 'stuck' }, context))
  })

  test('delay no other over SQLite', (context) =>
    sell({ kind: 'sqlite', file: join(folder, 'stuck.sqlite') }, context))
})
