// Promise: known/budget
/** While unauthenticated callers cause as many reads as they can, shoppers who have paid are still confirmed, and their orders delivered. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { full, proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type CompanionOptions, memoryStore, type PurchaseAnswer } from '../../src/index.ts'
import { READS_PER_SECOND } from '../../src/reads/turns.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { get } from '../support/companion.ts'
import { flood, inParallel, numbers } from '../support/load.ts'
import { type Instance, openInstance, withoutReconciling } from '../support/shop.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

interface Reads {
  /** How many reads of orders an instance has sent: on a busy machine they are as slow as everything else. */
  sent: number
  /** How many it had sent when it first read for a shopper. A busy machine's handling of the answer does not count as waiting. */
  readonly sentFor: Map<string, number>
  readonly fetch: typeof fetch
}

function countingReads(): Reads {
  const reads: Reads = {
    sent: 0,
    sentFor: new Map(),
    fetch: (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
      if (/order_history|business\/transactions/.test(String(input))) reads.sent++
      const shopper = new URL(String(input)).searchParams.get('custom_id')
      if (shopper !== null && !reads.sentFor.has(shopper)) reads.sentFor.set(shopper, reads.sent)
      return fetch(input, init)
    },
  }
  return reads
}

interface Wait {
  ms: number
  /** Reads that the instance has sent meanwhile, for any caller. */
  reads: number
}

/**
 * Checks a limit in seconds. Only evidence, on an idle machine, uses the clock; elsewhere the limit is as many reads as an
 * instance sends in that time.
 */
function expectWithin(bound: number, waits: readonly Wait[]): void {
  if (full) expect(Math.max(...waits.map(({ ms }) => ms))).toBeLessThan(bound * 1_000)
  expect(Math.max(...waits.map(({ reads }) => reads))).toBeLessThanOrEqual(bound * READS_PER_SECOND)
}

const shopOf = (
  reads: { fetch: typeof fetch },
  onOrder?: CompanionOptions['onOrder'],
  store = memoryStore(),
): Instance =>
  openInstance(service.client({ fetch: reads.fetch }), withoutReconciling(store), onOrder ? { onOrder } : {})

const any = <T>(items: readonly T[], number: number): T => items[number % items.length] as T
const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
const longest = (waits: readonly Wait[]): string =>
  `at most ${seconds(Math.max(...waits.map(({ ms }) => ms)))}`

/** The time of orders from their webhook to `onOrder`. */
function waitsOf(reads: { sent: number }) {
  const started = new Map<string, Wait>()
  const ended = new Map<string, Wait>()
  return {
    ended,
    begin: (id: string) => void started.set(id, { ms: performance.now(), reads: reads.sent }),
    end(id: string) {
      const from = started.get(id)
      if (from) ended.set(id, { ms: performance.now() - from.ms, reads: reads.sent - from.reads })
    },
  }
}

test.each([1, 3])(
  'shoppers who have paid are confirmed while a guest asks for hundreds of purchases, instances: %s',
  { timeout: 300_000 },
  async (size) => {
    const reads = numbers(size).map(countingReads)
    const file = join(folder, `${size}.sqlite`)
    const instances = reads.map((one) => shopOf(one, undefined, sqliteStore(file)))
    const ids: string[] = []
    await inParallel(numbers(proofRuns(300, 100)), 8, async (index) => {
      const guest = `guest-${index}`
      ids.push((await any(instances, index).begin(guest, {}, 'guest')).purchaseId)
    })
    const paid = await Promise.all(
      numbers(12).map(async (index) => {
        const shopper = `shopper-${index}`
        const { purchaseId, params } = await any(instances, index).begin(shopper, {}, shopper)
        await service.buy(params)
        return { shopper, purchaseId }
      }),
    )
    const paths = ['/return/:id', '/purchases/:id?returned=1', '/purchases/:id']
    const attack = flood(200, (number) => {
      const path = any(paths, number).replace(':id', any(ids, Math.floor(number / paths.length)))
      return any(instances, number).companion.fetch(get(path), { address: 'guest' })
    })
    await sleep(proofRuns(5_000, 2_000))

    const waits = await Promise.all(
      paid.map(async ({ shopper, purchaseId }, index): Promise<Wait> => {
        const startedAt = performance.now()
        const before = any(reads, index).sent
        const ask = async (): Promise<PurchaseAnswer> => {
          const request = get(`/purchases/${purchaseId}?returned=1`, shopper)
          const response = await any(instances, index).companion.fetch(request, { address: shopper })
          return (await response.json()) as PurchaseAnswer
        }
        await expect.poll(ask, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 'complete' })
        const { sent, sentFor } = any(reads, index)
        return { ms: performance.now() - startedAt, reads: (sentFor.get(shopper) ?? sent) - before }
      }),
    )
    const answers = await attack()
    recordFigure(
      `seconds until each of ${paid.length} paid shoppers was confirmed beside ${ids.length} purchases of a guest, 200 requests a second, instances: ${size}`,
      `${longest(waits)}; the guest's answers: ${JSON.stringify(answers)}`,
    )
    expectWithin(5, waits)
  },
)

test('orders of webhooks with the key are delivered while guests use up what the service allows', {
  timeout: 300_000,
}, async () => {
  await service.control('PATCH', '/switches', { rateLimit: 'retryAfter' })
  const reads = countingReads()
  const orders = waitsOf(reads)
  const { companion, begin, webhook } = shopOf(reads, ({ order }) => orders.end(order.id))
  const paths = ['/orders', '/orders/unknown', '/subscriptions']
  const addresses = ['one', 'two', 'three']
  const startedAt = performance.now()
  const attack = flood(90, (number) =>
    companion.fetch(get(any(paths, Math.floor(number / 3)), `guest-${number}`), {
      address: any(addresses, number),
    }),
  )
  await sleep(500)

  const count = proofRuns(40, 12)
  for (const index of numbers(count)) {
    const { params } = await begin(`shopper-${index}`, {}, `shopper-${index}`)
    const { id } = await service.buy(params)
    orders.begin(id)
    expect(await webhook(id)).toBe(202)
    await sleep(250)
  }
  await expect.poll(() => orders.ended.size, { timeout: 60_000 }).toBe(count)
  const lasted = performance.now() - startedAt
  const answers = await attack()
  const waits = [...orders.ended.values()]
  recordFigure(
    `seconds from webhook to onOrder, ${count} orders, a service of ten reads a second, ninety requests of guests a second`,
    `${longest(waits)}; ${reads.sent} reads in ${seconds(lasted)} s; the guests' answers: ${JSON.stringify(answers)}`,
  )
  expectWithin(3, waits)
  expect(reads.sent).toBeLessThan(20 * (lasted / 1_000) + 20)
})
