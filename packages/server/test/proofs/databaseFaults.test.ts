// Promise: stores/database-faults
/** A database that is killed, paused, locked or full: acknowledged orders are delivered, the error names the cause, and tokens are still issued. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { purchaseOf } from '../../testing/checks.ts'
import type { StoreOf } from '../stores/storeProcess.ts'
import { get } from '../support/companion.ts'
import { inParallel, numbers } from '../support/load.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { openShelf } from '../support/shelf.ts'
import { openInstance } from '../support/shop.ts'
import { openShopFleet, sendWebhook } from '../support/shopFleet.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

interface Trial {
  name: string
  of: StoreOf
  instances: number
  /** Breaks the database and repairs it. */
  fault: () => Promise<void>
  /** The messages that the shop's log may contain. */
  errors: RegExp
}

/**
 * Each webhook is sent once, before, during and after the fault. These orders have no purchase, so reconciliation finds none of them:
 * only acknowledged ones can be delivered.
 */
async function tryFault({ name, of, instances, fault, errors }: Trial): Promise<void> {
  const count = proofRuns(500, 40)
  const fleet = await openShopFleet(instances, { client: service.settings, database: of, completes: true })
  const path = `/webhook/${await webhookKeyOf(service.client())}`
  try {
    const ids: string[] = []
    await inParallel(numbers(count), 8, async (index) => {
      ids.push((await service.buy({ product_id: 'gold-100', custom_id: `shopper-${index}` })).id)
    })
    const acknowledged: string[] = []
    let refused = 0
    let isBroken = true
    const broken = fault().finally(() => {
      isBroken = false
    })
    const rest = [...ids]
    /** Most of them during the fault, the last one after it. */
    async function send(): Promise<void> {
      for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
        while (isBroken && rest.length < count / 4) await sleep(20)
        if ((await sendWebhook(fleet, path, id)) === 202) acknowledged.push(id)
        else refused++
        if (isBroken) await sleep(200)
      }
    }
    await Promise.all([...Array.from({ length: 8 }, send), broken])
    const missing = async (): Promise<string[]> => {
      const rows = await fleet.shelf.query('SELECT order_id FROM deliveries')
      const delivered = new Set(rows.map(({ order_id }) => order_id))
      return acknowledged.filter((id) => !delivered.has(id))
    }
    await expect
      .poll(missing, { timeout: 120_000, interval: 500 })
      .toEqual([])
      .catch(() => {})
    const lost = await missing()
    recordFigure(
      `acknowledged and lost, ${name}`,
      `${lost.length} of ${acknowledged.length} (${refused} refused); ${[...fleet.errors.keys()].join(' · ').slice(0, 300)}`,
    )
    expect(lost).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(count / 8)
    for (const error of fleet.errors.keys()) expect(error).toMatch(errors)
    expect([...fleet.deaths]).toEqual([])
  } finally {
    await fleet.close()
  }
}

describe.skipIf(!hasPostgres)('Postgres', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.close())

  // Messages of node-postgres and Postgres, our own for a missing answer, and that onOrder, which also writes there, took too long.
  const errors =
    /Postgres did not answer|ECONNREFUSED|ECONNRESET|Connection terminated|terminating connection|the database system is|not queryable|did not answer in time|did not settle within|was held by another/

  test.each<[string, number, (server: PostgresServer) => unknown, (server: PostgresServer) => unknown]>([
    ['killed', 2_000, (server) => server.kill(), (server) => server.start()],
    ['paused', 7_000, (server) => server.pause(), (server) => server.resume()],
  ])(
    'Postgres is %s for %s ms, and continues',
    async (name, ms, breaks, mends) =>
      tryFault({
        name: `Postgres ${name}`,
        of: { kind: 'postgres', url: server.url, schema: name },
        instances: 2,
        errors,
        async fault() {
          await sleep(500)
          await breaks(server)
          await sleep(ms)
          await mends(server)
        },
      }),
    600_000,
  )

  test('connections that go silent are replaced: only the calls that were made on them fail', async () => {
    const { proxy, url, silence } = await proxyTo(server.url)
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    const store = postgresStore(pool, { schema: 'silent' })
    onTestFinished(async () => {
      await pool.end()
      proxy.close()
    })
    const calls = (): Promise<void>[] => [
      store.set('key', 'value', null),
      store.purchases.begin(purchaseOf()),
    ]
    await Promise.all(calls())
    expect(pool.totalCount).toBe(2)

    silence()
    const onSilent = await Promise.allSettled(calls())
    expect(onSilent.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await Promise.all(calls())
    expect((await store.get('key'))?.value).toBe('value')
  })
})

/** A way to a database server that can go silent: connections stay open, nothing passes, and new ones work. */
async function proxyTo(database: string) {
  const open = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = connect(Number(new URL(database).port), '127.0.0.1')
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(database)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    proxy,
    url: url.href,
    silence(): void {
      for (const socket of open) socket.unpipe().pause()
    },
  }
}

describe('SQLite', () => {
  test('its file is locked by another process longer than a write waits', { timeout: 600_000 }, async () => {
    const file = join(folder, 'locked.sqlite')
    await tryFault({
      name: 'SQLite locked',
      of: { kind: 'sqlite', file },
      instances: 1,
      errors: /database is locked/,
      async fault() {
        const other = new DatabaseSync(file, { timeout: 5_000 })
        await sleep(500)
        other.exec('BEGIN IMMEDIATE')
        await sleep(7_000)
        other.exec('ROLLBACK')
        other.close()
      },
    })
  })

  test('a full disk is reported, with a reason, and what was acknowledged is kept', async () => {
    const file = join(folder, 'full.sqlite')
    // A limit on file sizes simulates the disk; its signal is ignored, as there is none on a full disk.
    const script = fileURLToPath(new URL('fullDisk.ts', import.meta.url))
    const limited = 'trap "" XFSZ; ulimit -f 2048; exec "$0" "$1" "$2"'
    const child = spawn('sh', ['-c', limited, process.execPath, script, file], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ acknowledged, refusal }] = (await once(child, 'message')) as [
      { acknowledged: number; refusal: string },
    ]
    expect(refusal).toMatch(/disk I\/O error|database or disk is full/)
    expect(acknowledged).toBeGreaterThan(20)

    const store = sqliteStore(file)
    let found = 0
    for (let jobs = 1; jobs > 0; found += jobs)
      jobs = (await store.jobs.claim('trusted', 1_000, 600_000)).length
    await store.close()
    recordFigure(
      'acknowledged and lost, SQLite on a full disk',
      `${acknowledged - found} of ${acknowledged}; ${refusal}`,
    )
    expect(found).toBe(acknowledged)
  })
})

// Promise: companion/store-gone

interface Place {
  of: StoreOf
  /** Cuts off the database; the returned function restores it. */
  takeAway(): Promise<() => unknown>
}

async function sqlite(): Promise<Place> {
  const file = join(folder, 'shop.sqlite')
  return {
    of: { kind: 'sqlite', file },
    async takeAway() {
      const other = new DatabaseSync(file, { timeout: 5_000 })
      other.exec('BEGIN IMMEDIATE')
      return () => other.close()
    },
  }
}

async function postgres(): Promise<Place> {
  const server = await startPostgres()
  onTestFinished(() => server.close())
  return {
    of: { kind: 'postgres', url: server.url, schema: 'shop' },
    async takeAway() {
      await server.kill()
      return server.start
    },
  }
}

/** A promise, and the function that settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const places: [string, () => Promise<Place>][] = [['SQLite', sqlite]]
if (hasPostgres) places.push(['Postgres', postgres])

test.each(places)(
  'while %s is down, tokens are still issued, and nothing is delivered twice or lost',
  async (name, place) => {
    const { of, takeAway } = await place()
    const shelf = await openShelf(of)
    onTestFinished(() => shelf.close())
    const [started, go] = [gate(), gate()]
    const shop = openInstance(service.client(), shelf.store, {
      async onOrder({ order, purchase, complete }) {
        if (order.custom_id === 'in-the-middle') {
          started.open()
          await go.opened
        }
        const order_id = order.id
        await shelf.deliver({
          call: { order_id, type: order.type },
          delivery: { order_id, state: purchase.state },
          complete,
        })
      },
    })
    const inTheMiddle = await service.buy((await shop.begin('in-the-middle')).params)
    const known = await shop.begin('before')
    expect(await shop.webhook(inTheMiddle.id)).toBe(202)
    await started.opened

    const bringBack = await takeAway()
    go.open()
    const paidMeanwhile = await service.buy(known.params)
    expect(await shop.webhook(paidMeanwhile.id)).toBeGreaterThanOrEqual(500)
    const unknown = await shop.begin('meanwhile')
    expect(unknown.accessToken).toMatch(/\S/)
    const beganMeanwhile = await service.buy(unknown.params)
    expect(await shop.ask(unknown.purchaseId, 'meanwhile')).toMatchObject({ status: 'none', order: null })
    expect((await shop.companion.fetch(get(`/return/${unknown.purchaseId}`))).status).toBe(200)

    await bringBack()
    // The service retries, more than once.
    for (const { id } of [paidMeanwhile, beganMeanwhile, paidMeanwhile, inTheMiddle]) {
      await expect.poll(() => shop.webhook(id)).toBe(202)
    }
    // A purchase record from the last seconds before the store came back is written then: its order matches. Otherwise the order has no purchase.
    const third = (delivery: string): string =>
      delivery.startsWith(beganMeanwhile.id) ? delivery.replace(/ (none|matched)$/, '') : delivery
    const delivered = async (): Promise<string[]> => {
      const rows = await shelf.query('SELECT order_id, state FROM deliveries')
      return rows.map(({ order_id, state }) => third(`${order_id} ${state}`)).sort()
    }
    const expected = [`${inTheMiddle.id} matched`, `${paidMeanwhile.id} matched`, beganMeanwhile.id].sort()
    await expect.poll(delivered, { timeout: 50_000 }).toEqual(expected)
    expect(await shop.ask(known.purchaseId, 'before')).toMatchObject({ status: 'complete', state: 'matched' })
    await shop.webhook(inTheMiddle.id)
    await shop.companion.reconcile()
    expect(await delivered()).toEqual(expected)
    recordFigure(
      `orders delivered twice or lost while the store was away, ${name}`,
      `0 of ${expected.length}`,
    )
  },
  300_000,
)
