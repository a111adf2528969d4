// Promise: stores/drivers
/** `complete(tx)` inside a transaction of Prisma, as docs/deliver.md says: delivery and mark are both there, or neither. */
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresStore } from '../src/stores/postgres.ts'
import type { Store } from '../src/stores/store.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts'
import { PrismaClient } from './generated/client.ts'

let server: PostgresServer
let pool: pg.Pool
let store: Store
let prisma: PrismaClient

beforeAll(async () => {
  server = await startPostgres()
  pool = new pg.Pool({ connectionString: server.url })
  store = postgresStore(pool)
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: server.url }) })
  await pool.query('CREATE TABLE deliveries (order_id text PRIMARY KEY)')
  await store.handled.has('nothing', 'order_complete')
})
afterAll(async () => {
  await prisma.$disconnect()
  await store.close()
  await pool.end()
  await server.close()
})

const order = { id: 'order-1' }
const isHandled = (): Promise<boolean> => store.handled.has(order.id, 'order_complete')

const complete = async (transaction: unknown): Promise<boolean> =>
  (await store.handled.addWithin?.(transaction, {
    orderId: order.id,
    type: 'order_complete',
    purchaseId: null,
  })) ?? false

const deliver = (end: () => void): Promise<void> =>
  prisma.$transaction(async (tx) => {
    const query = (text: string, values: string[]) => tx.$queryRawUnsafe<unknown[]>(text, ...values)
    if (await complete({ query })) await tx.deliveries.create({ data: { order_id: order.id } })
    end()
  })

test('outside of a transaction nothing is marked', async () => {
  const query = (text: string, values: string[]) => prisma.$queryRawUnsafe<unknown[]>(text, ...values)
  await expect(complete({ query })).rejects.toThrow(/needs a transaction/)
  expect(await isHandled()).toBe(false)
})

test('a transaction that fails leaves neither delivery nor mark', async () => {
  const failing = deliver(() => {
    throw new Error('the shop failed after it had completed')
  })
  await expect(failing).rejects.toThrow('the shop failed')
  expect(await isHandled()).toBe(false)
  expect(await prisma.deliveries.count()).toBe(0)
})

test('an order that is told twice is delivered once', async () => {
  await deliver(() => {})
  await deliver(() => {})
  expect(await isHandled()).toBe(true)
  expect(await prisma.deliveries.count()).toBe(1)
})
