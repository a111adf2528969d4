// Promise: fulfilment/forged
/** Forged webhooks deliver nothing, cost little, and delay no genuine one. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import { UNAUTHENTICATED_JOBS } from '../../src/stores/store.ts'
import { mount } from '../support/companion.ts'
import { inParallel, numbers, p99 } from '../support/load.ts'
import { declinedCard } from '../support/service.ts'
import { openInstance } from '../support/shop.ts'
import { openShopFleet, sendUntilAcknowledged, sendWebhook } from '../support/shopFleet.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

test('forged webhooks deliver nothing', async () => {
  const count = proofRuns(10_000, 500)
  const { companion, received } = openInstance(service.client())
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
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 20_000 })
  await sleep(500)
  await companion.close()
  const fulfilments = received.filter(({ order }) => order.type === 'order_complete').length
  recordFigure('deliveries after forged webhooks', `${fulfilments} of ${count}`)
  expect(fulfilments).toBe(0)
  expect(received).toHaveLength(1)
})

test('a flood without the key delays no webhook with it, and costs bounded storage, memory and rate', {
  timeout: 900_000,
}, async () => {
  const forged = proofRuns(10_000, 1_500)
  const real = proofRuns(200, 20)
  const database = { kind: 'sqlite', file: join(folder, 'shop.sqlite') } as const
  const fleet = await openShopFleet(1, { client: service.settings, database, completes: true })
  const { shelf } = fleet
  const key = await webhookKeyOf(service.client())
  try {
    const ids: string[] = []
    await inParallel(numbers(2 * real), 4, async (index) => {
      ids.push((await service.buy({ product_id: 'gold-100', custom_id: `shopper-${index}` })).id)
    })

    /** Milliseconds until each is delivered, a few at a time. */
    async function deliver(some: readonly string[]): Promise<number[]> {
      const sentAt = new Map<string, number>()
      await inParallel(some, 2, async (id) => {
        sentAt.set(id, Date.now())
        await sendUntilAcknowledged(fleet, `/webhook/${key}`, id)
        await sleep(20)
      })
      const times = (): Promise<(number | null)[]> =>
        Promise.all(some.map((id) => shelf.count(`SELECT min(at) FROM deliveries WHERE order_id = '${id}'`)))
      await expect.poll(async () => (await times()).every(Boolean), { timeout: 60_000 }).toBe(true)
      return (await times()).map((at, index) => Number(at) - (sentAt.get(some[index] ?? '') ?? 0))
    }

    const quiet = await deliver(ids.slice(0, real))
    const [before] = await fleet.usage()
    const readsBefore = await service.count('getTransaction')
    const started = performance.now()
    const statuses = new Map<number, number>()
    const flood = inParallel(numbers(forged), 100, async (index) => {
      const status = await sendWebhook(fleet, '/webhook', `forged-${index}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    const [flooded] = await Promise.all([deliver(ids.slice(real)), flood])
    const seconds = (performance.now() - started) / 1_000
    const reads = (await service.count('getTransaction')) - readsBefore - real
    const [after] = await fleet.usage()
    const rows = await shelf.count(
      "SELECT count(*) FROM purchase_widget_jobs WHERE queue = 'unauthenticated'",
    )
    const grown = ((after?.heapUsed ?? 0) - (before?.heapUsed ?? 0)) / 1_048_576
    const delay = p99(flooded) - p99(quiet)
    recordFigure(
      `${forged} webhooks without the key, ${real} with it`,
      `delayed at p99 by ${delay} ms (${p99(quiet)} → ${p99(flooded)}); ${rows} rows of jobs, heap ${grown.toFixed(1)} MB more; ` +
        `${(reads / seconds).toFixed(1)} reads of the service a second; answers: ${JSON.stringify(Object.fromEntries(statuses))}`,
    )
    expect(flooded).toHaveLength(real)
    expect(rows).toBeLessThanOrEqual(UNAUTHENTICATED_JOBS)
    expect(reads).toBeLessThanOrEqual(5 * (seconds + 1))
    expect([...statuses.keys()].every((status) => status === 202 || status === 429)).toBe(true)
    expect(statuses.get(202)).toBeLessThanOrEqual(UNAUTHENTICATED_JOBS + reads + 10)
    expect(grown).toBeLessThan(50)
    if (forged >= 10_000) expect(delay).toBeLessThan(1_000)
  } finally {
    await fleet.close()
  }
})
