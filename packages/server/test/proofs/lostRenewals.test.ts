// Promise: fulfilment/lost-renewals
/** Subscriptions whose webhooks are all lost: reconciling finds each charge within a day, by itself, and reads little for it. */
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { memoryStore } from '../../src/index.ts'
import { type Instance, openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const HOUR_MS = 3_600_000

const service = await serviceOfThisFile()

interface Club {
  shop: Instance
  now(): number
  /** Lets time pass for the service and the shop alike. */
  pass(ms: number): Promise<void>
  /** Runs what each instance runs every five minutes. */
  reconcile(): Promise<void>
  /** The paid orders that `onOrder` was called with, as often as it was. */
  delivered(): { id: string; state: string }[]
}

/** Three instances of a shop on one store, to which the service sends no webhook. */
function openClub(): Club {
  let passed = 0
  // As the service's clock does, it goes on meanwhile: else a token ends there first, and the read of that moment fails.
  const now = (): number => Date.now() + passed
  const store = memoryStore({ now })
  const open = (): Instance => openInstance(service.client({ now }), store, { now })
  const shop = open()
  const shops = [shop, open(), open()]
  return {
    shop,
    now,
    async pass(ms) {
      await service.control('POST', '/clock', { advanceSeconds: ms / 1_000 })
      passed += ms
    },
    reconcile: async () => void (await Promise.all(shops.map(({ companion }) => companion.reconcile()))),
    delivered: () =>
      shops
        .flatMap(({ heard }) => heard)
        .filter(({ order }) => order.type === 'order_complete')
        .map(({ order, purchase }) => ({ id: order.id, state: purchase.state })),
  }
}

/** When the service charges next. */
async function nextCharge(product_id: string): Promise<number> {
  const subscriptions = await service.client().subscriptions.list({ product_id })
  return Math.min(...subscriptions.map(({ next_paid_date }) => next_paid_date?.getTime() ?? 0))
}

test.each([
  { interval: 'daily', subscribers: 1, charges: proofRuns(730, 4) },
  { interval: 'monthly', subscribers: proofRuns(5, 2), charges: proofRuns(24, 3) },
  { interval: 'yearly', subscribers: proofRuns(50, 2), charges: 2 },
])(
  'a $interval renewal whose webhook is lost is delivered once, within a day of its date',
  { timeout: 3_600_000 },
  async ({ interval, subscribers, charges }) => {
    const product_id = `club-${interval}`
    const { shop, now, pass, reconcile, delivered } = openClub()
    for (let number = 0; number < subscribers; number++) {
      await service.buy((await shop.begin(`shopper-${number}`, { product_id })).params)
    }
    await pass(60_000)
    await reconcile()
    await expect.poll(() => delivered().length, { timeout: 60_000 }).toBe(subscribers)

    for (let charge = 1; charge <= charges; charge++) {
      await pass((await nextCharge(product_id)) - HOUR_MS - now())
      // Until 21 hours after the charge.
      for (let step = 0; step < 4; step++) {
        await pass(5.5 * HOUR_MS)
        await reconcile()
      }
      await expect.poll(() => delivered().length, { timeout: 60_000 }).toBe(subscribers * (charge + 1))
    }
    const states = delivered().map(({ state }) => state)
    expect(new Set(delivered().map(({ id }) => id)).size).toBe(states.length)
    expect(states.filter((state) => state === 'matched').length).toBe(subscribers)
    expect(states.filter((state) => state === 'renewal').length).toBe(subscribers * charges)
    recordFigure(
      `${interval} renewals whose webhook was lost, found within a day by one of three instances and delivered once`,
      `${states.filter((state) => state === 'renewal').length} of ${subscribers * charges}`,
    )
  },
)
