/** The stores that instances of a shop can share, each opened as often as there are instances. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OrderEvent } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { hasPostgres, openPool, startPostgres } from './postgres.ts'

export interface SharedStores {
  /** One more handle. */
  open(): Store
  /** Takes the database away from everybody; the function brings it back. */
  takeAway(): Promise<() => Promise<void>>
  /** Runs a delivery in one transaction with what `complete` records; false when it was recorded before. */
  deliver(complete: OrderEvent['complete'], orderId: string, state: string): Promise<boolean>
  /** `<order> <state>` of each delivery. */
  deliveries(): Promise<string[]>
  /** After every instance is closed. */
  end(): Promise<void>
}

async function onSqlite(): Promise<SharedStores> {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-shared-'))
  const file = join(folder, 'shop.sqlite')
  const shop = new DatabaseSync(file)
  shop.exec('PRAGMA busy_timeout = 20; CREATE TABLE deliveries (delivery TEXT NOT NULL)')
  return {
    open: () => sqliteStore(file),
    async takeAway() {
      const other = new DatabaseSync(file)
      other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
      return async () => other.close()
    },
    async deliver(complete, orderId, state) {
      shop.exec('BEGIN IMMEDIATE')
      try {
        const isNew = complete(shop) === true
        if (isNew) shop.prepare('INSERT INTO deliveries VALUES (?)').run(`${orderId} ${state}`)
        shop.exec('COMMIT')
        return isNew
      } catch (error) {
        shop.exec('ROLLBACK')
        throw error
      }
    },
    deliveries: async () =>
      shop
        .prepare('SELECT delivery FROM deliveries')
        .all()
        .map(({ delivery }) => String(delivery)),
    async end() {
      shop.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onPostgres(): Promise<SharedStores> {
  const server = await startPostgres()
  const shop = openPool(server.url)
  const pools = [shop]
  shop.on('error', () => {})
  // Also while it is checked out: the shop may take one whose end it has not heard of yet.
  shop.on('connect', (client) => client.on('error', () => {}))
  await shop.query('CREATE TABLE deliveries (delivery text NOT NULL)')
  return {
    open() {
      const pool = openPool(server.url)
      pools.push(pool)
      return postgresStore(pool)
    },
    async takeAway() {
      await server.kill()
      return () => server.start()
    },
    async deliver(complete, orderId, state) {
      const client = await shop.connect()
      try {
        await client.query('BEGIN')
        const isNew = await complete(client)
        if (isNew) await client.query('INSERT INTO deliveries VALUES ($1)', [`${orderId} ${state}`])
        await client.query('COMMIT')
        return isNew
      } finally {
        client.release(true)
      }
    },
    deliveries: async () =>
      (await shop.query('SELECT delivery FROM deliveries')).rows.map(({ delivery }) => String(delivery)),
    async end() {
      await Promise.all(pools.map((pool) => pool.end()))
      await server.close()
    },
  }
}

/** By the name that a test is told by. */
export const sharedStores: [string, () => Promise<SharedStores>][] = [
  ['SQLite', onSqlite],
  ...(hasPostgres ? [['Postgres', onPostgres] as [string, () => Promise<SharedStores>]] : []),
]
