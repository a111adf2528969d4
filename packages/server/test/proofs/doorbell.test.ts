/** Every paid order is fulfilled once, although the merchant's server is killed again and again; a forged ring does nothing. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import { companionOf, mount } from '../support/companion.ts'
import { hasRedis, type RedisServer, startRedis } from '../support/redis.ts'
import { declinedCard, type Service, startService } from '../support/service.ts'
import type { ShopSettings } from '../support/shopWorker.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const worker = fileURLToPath(new URL('../support/shopWorker.ts', import.meta.url))

interface Shop {
  url: string
  kill(): Promise<void>
}

async function openShop(settings: ShopSettings): Promise<Shop> {
  const child = fork(worker, [JSON.stringify(settings)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

async function inParallel<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const worker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

describe.skipIf(!hasRedis)('a shop that is killed again and again', () => {
  let redis: RedisServer
  let folder: string
  let database: string
  let shop: Shop

  beforeAll(async () => {
    redis = await startRedis()
    folder = mkdtempSync(join(tmpdir(), 'purchase-widget-shop-'))
    database = join(folder, 'shop.sqlite')
  })
  afterAll(async () => {
    await shop.kill()
    await redis.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('fulfils each order once', { timeout: 900_000 }, async () => {
    const count = proofRuns(1_000, 60)
    const { widgetUrl, widgetApiUrl, baseUrl } = service.urls
    const settings: ShopSettings = {
      client: { widgetUrl, widgetApiUrl, baseUrl, ...service.credentials },
      socket: redis.socket,
      database,
    }
    shop = await openShop(settings)
    const orders: Order[] = []
    await inParallel(numbers(count), 4, async (index) => {
      orders.push(await service.buy({ product_id: 'gold-100', custom_id: `shopper-${index % 50}` }))
    })

    const rings = shuffled(
      orders.flatMap((order) => [
        ...Array.from({ length: 5 }, () => ({ order, path: '/webhook' })),
        { order, path: `/orders/${order.id}` },
        { order, path: '/orders' },
      ]),
    )
    let ringing = true
    let kills = 0
    const killer = (async () => {
      while (ringing) {
        await sleep(300 + Math.random() * 700)
        await shop.kill()
        kills++
        shop = await openShop(settings)
      }
    })()
    await inParallel(rings, 8, async ({ order, path }) => {
      const isWebhook = path === '/webhook'
      // The service delivers again until it is acknowledged; a shopper does not.
      for (;;) {
        const answer = await fetch(shop.url + path, {
          method: isWebhook ? 'POST' : 'GET',
          headers: { cookie: `shopper=${order.custom_id}`, 'content-type': 'application/json' },
          ...(isWebhook ? { body: JSON.stringify({ data: { order_id: order.id } }) } : {}),
        }).catch(() => null)
        await answer?.body?.cancel().catch(() => {})
        if (!isWebhook || answer?.ok) return
        await sleep(50)
      }
    })
    ringing = false
    await killer

    const shelf = new DatabaseSync(database)
    shelf.exec('PRAGMA busy_timeout = 5000')
    const countOf = (sql: string): number => Number(Object.values(shelf.prepare(sql).get() ?? {})[0])
    const giveUp = performance.now() + 60_000
    while (countOf('SELECT count(*) FROM fulfilments') < count && performance.now() < giveUp) await sleep(200)
    await sleep(500)

    const fulfilled = countOf('SELECT count(*) FROM fulfilments')
    const repeated = countOf('SELECT count(*) - count(DISTINCT order_id || type) FROM calls')
    shelf.close()
    recordFigure(
      'orders fulfilled, each rung five times by webhook, once by return and once by poll, under kill -9',
      `${fulfilled} of ${count}; ${kills} kills; onOrder called again after a kill: ${repeated}`,
    )
    expect(kills).toBeGreaterThan(0)
    expect(fulfilled).toBe(count)
    // Only a kill between the fulfilment and its mark may repeat a call, and the unique key takes that.
    expect(repeated).toBeLessThanOrEqual(kills * 8)
  })
})

test('forged rings fulfil nothing', async () => {
  service.reset()
  const count = proofRuns(10_000, 500)
  let fulfilments = 0
  let calls = 0
  const companion = companionOf(service.client(), {
    store: memoryStore(),
    rateLimit: { perAddress: 1_000_000 },
    onError: () => {},
    onOrder({ type }) {
      calls++
      if (type === 'order_complete') fulfilments++
    },
  })
  const failed = await service.buy({ product_id: 'gold-100' }, declinedCard('4000'))
  const forged: object[] = [
    { order_id: 'unknown', type: 'order_complete' },
    { data: { order_id: failed.id, type: 'order_complete', quote_amount: '1000000' } },
    { ...failed, type: 'order_complete', fail_reason: '' },
    { order_id: "' OR 1=1 --" },
    { order_id: '../orders' },
    { __proto__: null, constructor: { prototype: { order_id: 'x' } } },
  ]
  await inParallel(
    Array.from({ length: count }, (_, index) => index),
    16,
    async (index) => {
      const response = await companion.fetch(
        new Request(`${mount}/webhook`, {
          method: 'POST',
          body: JSON.stringify(forged[index % forged.length]),
        }),
        { address: '203.0.113.9' },
      )
      expect(response.status).toBe(202)
    },
  )
  await sleep(200)
  companion.close()
  expect(await service.count('getTransaction')).toBeGreaterThan(0)
  recordFigure('fulfilments after forged rings', `${fulfilments} of ${count}`)
  expect(fulfilments).toBe(0)
  expect(calls).toBe(1)
})

test('a flood of rings costs no more reads than the limit', async () => {
  service.reset()
  const companion = companionOf(service.client(), {
    store: memoryStore(),
    rateLimit: { perAddress: 50 },
    onOrder: () => {},
  })
  const flood = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      companion.fetch(
        new Request(`${mount}/webhook`, {
          method: 'POST',
          body: JSON.stringify({ order_id: `forged-${index}` }),
        }),
      ),
    ),
  )
  expect(flood.filter(({ status }) => status === 202)).toHaveLength(50)
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(450)
  await vi.waitFor(async () => expect(await service.count('getTransaction')).toBe(50), { timeout: 20_000 })
  companion.close()
})
