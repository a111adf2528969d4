// Promise: fulfilment/stuck
/** `onOrder` that never settles for some orders holds up none of the others, and what can never be handled waits as a dead letter. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import type { Order } from '../../src/index.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { fulfilmentOf } from '../support/fulfilment.ts'
import { inParallel, numbers, p99 } from '../support/load.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

const STUCK = 8
/** Orders that arrive at once. */
const WIDTH = 16

test('eight that never settle do not hold up the rest', { timeout: 900_000 }, async () => {
  const count = proofRuns(1_000, 60)
  const orders: Order[] = []
  await inParallel(numbers(count + STUCK), 8, async (index) => {
    orders.push(await service.buy({ product_id: 'gold-100', custom_id: `shopper-${index}` }))
  })
  const [stuck, good] = [orders.slice(0, STUCK), orders.slice(STUCK)]

  /** Milliseconds from each hint to its delivery, in a store of their own. */
  async function deliver(name: string, before: readonly Order[]): Promise<number[]> {
    const isStuck = new Set(before.map(({ id }) => id))
    const store = sqliteStore(join(folder, `${name}.sqlite`))
    const arrived = new Map<string, () => void>()
    const fulfilment = fulfilmentOf(service.client(), {
      store,
      onOrder: ({ order }) => (isStuck.has(order.id) ? new Promise(() => {}) : arrived.get(order.id)?.()),
      onOrderTimeout: 5_000,
    })
    for (const { id } of before) await fulfilment.syncOrder({ order_id: id }, 'trusted')
    const times: number[] = []
    await inParallel(good, WIDTH, async ({ id }) => {
      const started = performance.now()
      const delivered = new Promise<void>((resolve) => void arrived.set(id, resolve))
      await fulfilment.syncOrder({ order_id: id }, 'trusted')
      await delivered
      times.push(performance.now() - started)
    })
    await fulfilment.close()
    await store.close()
    return times
  }

  await deliver('warm', [])
  const without = await deliver('without', [])
  const beside = await deliver('beside', stuck)
  const ratio = p99(beside) / p99(without)
  recordFigure(
    `delivered beside ${STUCK} onOrder that never settle`,
    `${beside.length} of ${count}; p99 ${p99(beside).toFixed(0)} ms, without them ${p99(without).toFixed(0)} ms: ${ratio.toFixed(2)}×`,
  )
  expect(beside).toHaveLength(count)
  // A hundredth of a few is one of them, which says nothing.
  if (count >= 1_000) expect(ratio).toBeLessThan(2)
})
