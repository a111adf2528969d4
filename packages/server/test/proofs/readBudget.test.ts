// Promise: known/budget
/** Reads of the service while unauthenticated callers ask for as many as they can: whoever has paid is confirmed and delivered all the same. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { full, proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
  memoryStore,
  type PurchaseAnswer,
  type PurchaseClientOptions,
  type Store,
  type TokenGrant,
} from '../../src/index.ts'
import { READS_PER_SECOND } from '../../src/reads/turns.ts'
import { companionOf, get, mount, post } from '../support/companion.ts'
import { flood } from '../support/flood.ts'
import { inParallel, numbers } from '../support/load.ts'
import { declinedCard } from '../support/service.ts'
import { type SharedStores, sharedStores } from '../support/shared.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let stores: SharedStores | undefined
afterEach(async () => {
  await stores?.end()
  stores = undefined
})

/** Nobody looks for orders that were missed. */
const withoutReconciling = (store: Store): Store => ({
  ...store,
  purchases: { ...store.purchases, unsettled: async () => [] },
})

/** How many reads of orders an instance has sent: on a busy machine they come as slowly as everything else. */
function countingReads(): { sent: number; fetch: typeof fetch } {
  const reads = {
    sent: 0,
    fetch: (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
      if (/order_history|business\/transactions/.test(String(input))) reads.sent++
      return fetch(input, init)
    },
  }
  return reads
}

interface Wait {
  ms: number
  /** That the instance has sent meanwhile, for whomever. */
  reads: number
}

/**
 * Holds a bound in seconds. Only evidence, on a machine with nothing else to do, looks at the clock; anywhere else it is as many reads as an
 * instance sends in that time.
 */
function expectWithin(bound: number, waits: readonly Wait[]): void {
  if (full) expect(Math.max(...waits.map(({ ms }) => ms))).toBeLessThan(bound * 1_000)
  expect(Math.max(...waits.map(({ reads }) => reads))).toBeLessThanOrEqual(bound * READS_PER_SECOND)
}

function shopOf(
  store: Store,
  options: Partial<CompanionOptions> = {},
  client: Partial<PurchaseClientOptions> = {},
): Companion {
  return companionOf(service.client(client), {
    store: withoutReconciling(store),
    url: mount,
    rateLimit: { perShopper: 1e9, perAddress: 1e9 },
    onError: () => {},
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
    ...options,
  })
}

async function begin(companion: Companion, shopper: string, address: string): Promise<TokenGrant> {
  return (await (await companion.fetch(post('/token', {}, shopper), { address })).json()) as TokenGrant
}

async function webhookOf(companion: Companion, body: object, key = ''): Promise<void> {
  const path = key === '' ? '/webhook' : `/webhook/${key}`
  expect((await companion.fetch(post(path, body))).status).toBe(202)
}

const any = <T>(items: readonly T[], number: number): T => items[number % items.length] as T
const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
const longest = (waits: readonly Wait[]): string =>
  `at most ${seconds(Math.max(...waits.map(({ ms }) => ms)))}`

/** Of orders, from their webhook to `onOrder`. */
function waitsOf(reads: { sent: number }) {
  const begun = new Map<string, Wait>()
  const ended = new Map<string, Wait>()
  return {
    ended,
    begin: (id: string) => void begun.set(id, { ms: performance.now(), reads: reads.sent }),
    end(id: string) {
      const from = begun.get(id)
      if (from) ended.set(id, { ms: performance.now() - from.ms, reads: reads.sent - from.reads })
    },
  }
}

test.each([1, 3])(
  'shoppers who have paid are confirmed while a guest asks for hundreds of purchases, instances: %s',
  { timeout: 300_000 },
  async (size) => {
    stores = await sharedStores[0]?.[1]()
    const reads = numbers(size).map(countingReads)
    const instances = reads.map(({ fetch }) => shopOf(stores?.open() ?? memoryStore(), {}, { fetch }))
    const ids: string[] = []
    await inParallel(numbers(proofRuns(300, 100)), 8, async (index) => {
      const guest = `guest-${index}`
      ids.push((await begin(any(instances, index), guest, 'guest')).purchaseId)
    })
    const paid = await Promise.all(
      numbers(12).map(async (index) => {
        const shopper = `shopper-${index}`
        const { purchaseId, params } = await begin(any(instances, index), shopper, shopper)
        await service.buy(params)
        return { shopper, purchaseId }
      }),
    )
    const paths = ['/return/:id', '/purchases/:id?returned=1', '/purchases/:id']
    const attack = flood(200, (number) => {
      const path = any(paths, number).replace(':id', any(ids, Math.floor(number / paths.length)))
      return any(instances, number).fetch(get(path), { address: 'guest' })
    })
    await sleep(proofRuns(5_000, 2_000))

    const waits = await Promise.all(
      paid.map(async ({ shopper, purchaseId }, index): Promise<Wait> => {
        const startedAt = performance.now()
        const before = any(reads, index).sent
        const ask = async (): Promise<PurchaseAnswer> => {
          const request = get(`/purchases/${purchaseId}?returned=1`, shopper)
          const response = await any(instances, index).fetch(request, { address: shopper })
          return (await response.json()) as PurchaseAnswer
        }
        await expect.poll(ask, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 'complete' })
        return { ms: performance.now() - startedAt, reads: any(reads, index).sent - before }
      }),
    )
    const answers = await attack.stop()
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
  const companion = shopOf(
    memoryStore(),
    { onOrder: ({ order }) => orders.end(order.id) },
    { fetch: reads.fetch },
  )
  const key = await webhookKeyOf(service.client())
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
    const { params } = await begin(companion, `shopper-${index}`, `shopper-${index}`)
    const { id } = await service.buy(params)
    orders.begin(id)
    await webhookOf(companion, { order_id: id }, key)
    await sleep(250)
  }
  await expect.poll(() => orders.ended.size, { timeout: 60_000 }).toBe(count)
  const lasted = performance.now() - startedAt
  const answers = await attack.stop()
  const waits = [...orders.ended.values()]
  recordFigure(
    `seconds from webhook to onOrder, ${count} orders, a service of ten reads a second, ninety requests of guests a second`,
    `${longest(waits)}; ${reads.sent} reads in ${seconds(lasted)} s; the guests' answers: ${JSON.stringify(answers)}`,
  )
  expectWithin(3, waits)
  expect(reads.sent).toBeLessThan(20 * (lasted / 1_000) + 20)
})

test('an order is delivered beside thousands of unpaid ones that a hint and their shopper name', {
  timeout: 300_000,
}, async () => {
  const unpaid = proofRuns(6_000, 600)
  const reads = countingReads()
  const orders = waitsOf(reads)
  const companion = shopOf(
    memoryStore(),
    {
      async onOrder({ order }) {
        await sleep(100)
        orders.end(order.id)
      },
    },
    { fetch: reads.fetch },
  )
  const key = await webhookKeyOf(service.client())
  const params = { product_id: 'gold-100', custom_id: 'mallory' }
  await inParallel(numbers(unpaid), 8, async () => {
    await service.buy(params, declinedCard('4004'))
  })
  for (const index of numbers(6)) {
    await webhookOf(companion, { custom_id: 'mallory' })
    expect((await companion.fetch(get('/orders', 'mallory'), { address: 'mallory' })).status).toBe(200)
    const { id } = await service.buy((await begin(companion, `shopper-${index}`, 'shop')).params)
    orders.begin(id)
    await webhookOf(companion, { order_id: id }, key)
    await sleep(300)
  }
  await expect.poll(() => orders.ended.size, { timeout: 60_000 }).toBe(6)
  const waits = [...orders.ended.values()]
  recordFigure(
    `seconds from webhook to onOrder beside ${unpaid} unpaid orders of one shopper`,
    longest(waits),
  )
  expectWithin(2, waits)
})
