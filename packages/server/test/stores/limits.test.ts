/** Limits hold over all instances of a companion, and outlive the database that counts them. */
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Companion } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { companionOf, get } from '../support/companion.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'

test.skipIf(!hasPostgres)('shoppers are limited across instances, and when Postgres is gone', async () => {
  const service = await startService()
  const postgres = await startPostgres()
  const pool = new pg.Pool({ connectionString: postgres.url })
  const store = postgresStore(pool)
  // The schema is made now: a first count that takes long counts as a store that is gone.
  await store.get('x')
  const open = (perShopper: number): Companion =>
    companionOf(service.client(), { store, rateLimit: { perShopper } })

  const instances = [open(4), open(4)]
  const statuses: (number | undefined)[] = []
  for (let index = 0; index < 6; index++) {
    statuses.push((await instances[index % 2]?.fetch(get('/subscriptions', 'ada')))?.status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])

  await postgres.kill()
  const alone = open(1)
  expect((await alone.fetch(get('/subscriptions', 'ada'))).status).not.toBe(429)
  expect((await alone.fetch(get('/subscriptions', 'ada'))).status).toBe(429)
  await postgres.start()
  await Promise.all([...instances, alone].map((companion) => companion.close()))
  await pool.end()
  await postgres.close()
  await service.close()
})
