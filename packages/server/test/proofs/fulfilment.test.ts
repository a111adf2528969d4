/** Every paid order is delivered exactly once, although the merchant's server is killed again and again; a forged webhook does nothing. */
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
import { webhookKeyOf } from '../../src/fulfilment/webhookKey.ts'
import type { Order, TokenGrant } from '../../src/index.ts'
import { companionOf, mount } from '../support/companion.ts'
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
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The shop did not open.')))
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
  ended.catch(() => {})
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

describe('a shop that is killed again and again', () => {
  let folder: string
  let database: string
  let shop: Shop

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purchase-widget-shop-'))
    database = join(folder, 'shop.sqlite')
  })
  afterAll(async () => {
    await shop.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As a shopper does: begin, then pay. */
  async function buy(shopper: string): Promise<Order> {
    const answer = await fetch(`${shop.url}/token`, {
      method: 'POST',
      body: '{}',
      headers: {
        cookie: `shopper=${shopper}`,
        'content-type': 'application/json',
        origin: 'https://shop.example',
      },
    })
    const { params } = (await answer.json()) as TokenGrant
    return service.buy(params)
  }

  test('delivers each order once', { timeout: 900_000 }, async () => {
    const count = proofRuns(1_000, 60)
    const { widgetUrl, widgetApiUrl, baseUrl } = service.urls
    const settings: ShopSettings = {
      client: { widgetUrl, widgetApiUrl, baseUrl, ...service.credentials },
      database,
    }
    const key = await webhookKeyOf(service.client())
    shop = await openShop(settings)
    const orders: Order[] = []
    await inParallel(numbers(count), 4, async (index) => {
      orders.push(await buy(`shopper-${index % 50}`))
    })

    const hints = shuffled(
      orders.flatMap((order) => [
        ...Array.from({ length: 5 }, () => ({ order, path: `/webhook/${key}` })),
        { order, path: `/orders/${order.id}` },
        { order, path: '/orders' },
      ]),
    )
    let hinting = true
    let kills = 0
    let answers = 0
    const killer = (async () => {
      while (hinting) {
        // By answers and not by time, so that a slow machine gets something done between two kills.
        const killAt = answers + 5 + Math.random() * Math.max(20, count / 4)
        while (hinting && answers < killAt) await sleep(10)
        await shop.kill()
        kills++
        shop = await openShop(settings)
      }
    })()
    await inParallel(hints, 8, async ({ order, path }) => {
      const isWebhook = path.startsWith('/webhook')
      // The service delivers again until it is acknowledged; a shopper does not.
      for (;;) {
        const answer = await fetch(shop.url + path, {
          method: isWebhook ? 'POST' : 'GET',
          headers: { cookie: `shopper=${order.custom_id}`, 'content-type': 'application/json' },
          ...(isWebhook ? { body: JSON.stringify({ data: { order_id: order.id } }) } : {}),
        }).catch(() => null)
        await answer?.body?.cancel().catch(() => {})
        if (answer) answers++
        if (!isWebhook || answer?.ok) return
        await sleep(50)
      }
    })
    hinting = false
    await killer
    // As a health check would: a process that nobody calls does not know that there is work.
    await fetch(`${shop.url}/orders`, { headers: { cookie: 'shopper=shopper-1' } })

    const shelf = new DatabaseSync(database)
    shelf.exec('PRAGMA busy_timeout = 5000')
    const countOf = (sql: string): number => Number(Object.values(shelf.prepare(sql).get() ?? {})[0])
    const delivered = (): number => countOf('SELECT count(DISTINCT order_id) FROM deliveries')
    const giveUp = performance.now() + 180_000
    while (delivered() < count && performance.now() < giveUp) await sleep(200)
    await sleep(500)

    const once = delivered()
    const twice = countOf('SELECT count(*) - count(DISTINCT order_id) FROM deliveries')
    const unmatched = countOf("SELECT count(*) FROM deliveries WHERE state <> 'matched'")
    const repeated = countOf('SELECT count(*) - count(DISTINCT order_id || type) FROM calls')
    shelf.close()
    recordFigure(
      'orders delivered, each hinted at five times by webhook, once by return and once by poll, under kill -9',
      `${once} of ${count}, ${twice} twice; ${kills} kills; onOrder called again after a kill: ${repeated}`,
    )
    expect(kills).toBeGreaterThan(0)
    expect({ once, twice, unmatched }).toEqual({ once: count, twice: 0, unmatched: 0 })
  })
})

test('forged webhooks deliver nothing', async () => {
  service.reset()
  const count = proofRuns(10_000, 500)
  let fulfilments = 0
  let calls = 0
  const companion = companionOf(service.client(), {
    rateLimit: { perAddress: 1_000_000 },
    onError: () => {},
    onOrder({ order: { type } }) {
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
  const key = await webhookKeyOf(service.client())
  for (const path of ['webhook', `webhook/${key}`]) {
    await inParallel(numbers(count / 2), 16, async (index) => {
      const request = new Request(`${mount}/${path}`, {
        method: 'POST',
        body: JSON.stringify(forged[index % forged.length]),
      })
      const response = await companion.fetch(request, { address: '203.0.113.9' })
      expect(response.status).toBe(202)
    })
  }
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 20_000 })
  await sleep(500)
  await companion.close()
  recordFigure('deliveries after forged webhooks', `${fulfilments} of ${count}`)
  expect(fulfilments).toBe(0)
  expect(calls).toBe(1)
})

test('a flood of webhooks without the key costs a few reads a second, and then no more', async () => {
  service.reset()
  const companion = companionOf(service.client(), {
    rateLimit: { perAddress: 1_000_000 },
    onError: () => {},
    onOrder: () => {},
  })
  const started = performance.now()
  const statuses = new Map<number, number>()
  await inParallel(numbers(3_000), 50, async (index) => {
    const request = new Request(`${mount}/webhook`, {
      method: 'POST',
      body: JSON.stringify({ order_id: `forged-${index}` }),
    })
    const { status } = await companion.fetch(request, { address: '203.0.113.9' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  await sleep(2_000)
  const reads = await service.count('getTransaction')
  const seconds = (performance.now() - started) / 1_000
  await companion.close()
  expect(reads).toBeLessThanOrEqual(5 * (seconds + 1))
  expect(statuses.get(202)).toBeLessThanOrEqual(1_000 + reads)
  expect([...statuses.keys()].sort()).toEqual([202, 429])
})
