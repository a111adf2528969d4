// Promise: fulfilment/crashes
/** With `complete()`, each state of an order is handled exactly once: over crashes, restarts and instances. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Order } from '../src/index.ts'
import type { OnOrder } from '../src/purchase/purchase.ts'
import { sqliteStore } from '../src/stores/sqlite.ts'
import { fulfilmentOf } from './support/fulfilment.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
let folder: string
let file: string
let shop: DatabaseSync
let files = 0

beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-fulfilment-'))
})
beforeEach(() => {
  service.reset()
  file = join(folder, `${++files}.sqlite`)
  shop = new DatabaseSync(file)
  shop.exec(
    'PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; CREATE TABLE deliveries (order_id TEXT NOT NULL)',
  )
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

const buy = (custom_id: string): Promise<Order> => service.buy({ product_id: 'gold-100', custom_id })

const deliveries = (): unknown[] =>
  shop
    .prepare('SELECT order_id FROM deliveries ORDER BY order_id')
    .all()
    .map(({ order_id }) => order_id)

/** Delivers and marks in one transaction. */
const deliver: OnOrder = ({ order, complete }) => {
  shop.exec('BEGIN IMMEDIATE')
  try {
    if (complete(shop)) shop.prepare('INSERT INTO deliveries VALUES (?)').run(order.id)
    shop.exec('COMMIT')
  } catch (error) {
    shop.exec('ROLLBACK')
    throw error
  }
}

test('a crash between the delivery and the end of onOrder delivers nothing again', async () => {
  const onOrder = vi.fn<OnOrder>(async (event) => {
    await deliver(event)
    throw new Error('crashed right after the commit')
  })
  const { id } = await buy('ada')
  const store = sqliteStore(file)
  const fulfilment = fulfilmentOf(service.client(), { store, onOrder })
  await fulfilment.syncOrder({ order_id: id }, 'trusted')
  await vi.waitFor(() => expect(deliveries()).toEqual([id]), { timeout: 20_000 })
  await fulfilment.idle()
  // Nobody but the shop can tell whether the delivery was part of that transaction.
  expect(await fulfilment.deadLetters.list()).toMatchObject([
    {
      reason: expect.stringMatching(
        /after the transaction of complete\(\) was committed.+crashed right after/,
      ),
    },
  ])
  await fulfilment.syncOrder({ order_id: id }, 'trusted')
  await fulfilment.idle()
  expect(onOrder).toHaveBeenCalledOnce()
  expect(deliveries()).toEqual([id])
  expect(await store.jobs.claim('trusted', 10, 60_000)).toEqual([])
  await fulfilment.close()
  await store.close()
})

test('four instances over one file deliver each of forty orders once', async () => {
  const orders = await Promise.all(Array.from({ length: 40 }, (_, index) => buy(`shopper-${index}`)))
  const calls: string[] = []
  const instances = Array.from({ length: 4 }, () => {
    const store = sqliteStore(file)
    const onOrder: OnOrder = (event) => {
      calls.push(event.order.id)
      return deliver(event)
    }
    return { store, fulfilment: fulfilmentOf(service.client(), { store, onOrder }) }
  })
  await Promise.all(
    instances.flatMap(({ fulfilment }) =>
      orders.map(({ id }) => fulfilment.syncOrder({ order_id: id }, 'trusted')),
    ),
  )
  const ids = orders.map(({ id }) => id).sort()
  await vi.waitFor(() => expect(deliveries()).toEqual(ids), { timeout: 40_000 })
  await Promise.all(instances.map(({ fulfilment }) => fulfilment.idle()))
  expect(deliveries()).toEqual(ids)
  // The lock keeps instances from calling at once, so that not even `complete` had to say no.
  expect(calls.sort()).toEqual(ids)
  await Promise.all(instances.map(({ fulfilment }) => fulfilment.close()))
  await Promise.all(instances.map(({ store }) => store.close()))
})
