// Promise: fulfilment/heartbeat
/** A job is held as long as its process lives, and comes back soon after it was killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { HOLD_MS } from '../../src/fulfilment/queue.ts'
import { keyOf } from '../../src/fulfilment/webhook.ts'
import type { Store } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { type StoreOf, startStoreProcess } from '../stores/storeProcess.ts'
import { fulfilmentOf } from '../support/fulfilment.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Seconds from a kill -9 until another process delivers what the killed one was about. */
async function secondsToRecover(store: Store, of: StoreOf): Promise<number> {
  const { id } = await service.buy({ product_id: 'gold-100', custom_id: of.kind })
  await store.jobs.add(keyOf({ order_id: id }), 'trusted')
  const claimer = await startStoreProcess(of)
  expect(await claimer.run({ do: 'claimJob', holdMs: HOLD_MS })).toBe(1)
  const delivered: string[] = []
  const onOrder = ({ order }: { order: { id: string } }): void => void delivered.push(order.id)
  const fulfilment = fulfilmentOf(service.client(), { store, onOrder })
  fulfilment.start()
  await claimer.kill()
  const started = performance.now()
  await expect.poll(() => delivered, { interval: 50 }).toEqual([id])
  const seconds = (performance.now() - started) / 1_000
  await fulfilment.close()
  await store.close()
  return seconds
}

test('what a killed process was about is delivered by another within 15 seconds', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-hold-'))
  const file = join(folder, 'shop.sqlite')
  const server = hasPostgres ? await startPostgres() : null
  const pool = server ? new pg.Pool({ connectionString: server.url }) : null
  const trials = [secondsToRecover(sqliteStore(file), { kind: 'sqlite', file })]
  if (server && pool)
    trials.push(
      secondsToRecover(postgresStore(pool), { kind: 'postgres', url: server.url, schema: 'purchase_widget' }),
    )
  const seconds = await Promise.all(trials)
  await pool?.end()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
  recordFigure(
    'delivered after a kill -9 of its process, SQLite and Postgres',
    seconds.map((one) => `${one.toFixed(1)} s`).join(', '),
  )
  for (const one of seconds) expect(one).toBeLessThan(15)
})
