/** Limits hold over all instances of a companion, and outlive the Redis that counts them. */
import { expect, test } from 'vitest'
import type { Companion } from '../../src/index.ts'
import { redisStore } from '../../src/stores/redis.ts'
import { companionOf, get } from '../support/companion.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { startService } from '../support/service.ts'

test.skipIf(!hasRedis)('shoppers are limited across instances, and when Redis is gone', async () => {
  const service = await startService()
  const redis = await startRedis()
  const connection = redis.connect()
  connection.on('error', () => {})
  const shared = redisStore(connection)
  // It connects now: a first count that takes long counts as a Redis that is gone.
  await shared.get('x')
  const open = (perShopper: number): Companion =>
    companionOf(service.client(), { shared, rateLimit: { perShopper } })

  const instances = [open(4), open(4)]
  const statuses: (number | undefined)[] = []
  for (let index = 0; index < 6; index++) {
    statuses.push((await instances[index % 2]?.fetch(get('/subscriptions', 'ada')))?.status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])

  await redis.kill()
  const alone = open(1)
  expect((await alone.fetch(get('/subscriptions', 'ada'))).status).toBe(200)
  expect((await alone.fetch(get('/subscriptions', 'ada'))).status).toBe(429)
  connection.disconnect()
  await shared.close()
  await redis.close()
  await service.close()
})
