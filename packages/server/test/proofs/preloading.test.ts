// Promise: link/preload
/** What page views that preload cost the shop: stored purchases, calls of `createPurchase` and reads of the service. */
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type CompanionOptions, memoryStore, type Store } from '../../src/index.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { PRELOADED_PER_SHOPPER } from '../../src/stores/store.ts'
import { get, navigation } from '../support/companion.ts'
import { numbers } from '../support/load.ts'
import { openInstance, withoutReconciling } from '../support/shop.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

const SHOPPERS = 10
const products = ['gold-100', 'gold-500']
const stores: [string, () => Store][] = [
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(join(folder, 'preloading.sqlite'))],
]

test.each(stores)(
  'page views that preload evict no real purchase, and read nothing: %s',
  async (name, make) => {
    const views = proofRuns(1_000, 600)
    const asked = vi.fn<typeof fetch>(fetch)
    const createPurchase = vi.fn<NonNullable<CompanionOptions['createPurchase']>>(({ params }) => ({
      params: { product_id: params.product_id, quote: 'USD', quote_amount: '9.99' },
    }))
    const store = make()
    const { companion, received } = openInstance(
      service.client({ fetch: asked }),
      withoutReconciling(store),
      { createPurchase },
    )
    /** Opens a link; returns the widget's parameters. */
    async function launch(shopper: string, id: string, query: Record<string, string>) {
      const search = new URLSearchParams({ purchase: id, surface: 'iframe', ...query })
      const answer = await companion.fetch(
        get(`/launch?${search}`, shopper, navigation('same-origin', 'iframe')),
      )
      expect(answer.status).toBe(303)
      const { accessToken: _, ...params } = Object.fromEntries(
        new URL(answer.headers.get('location') ?? '').searchParams,
      )
      return params
    }

    const real = new Map<string, Record<string, string>>()
    for (const index of numbers(SHOPPERS)) {
      const id = `real-${index}-`.padEnd(22, 'x')
      real.set(id, await launch(`shopper-${index}`, id, { product_id: 'gold-100' }))
    }
    createPurchase.mockClear()
    const readsBefore = asked.mock.calls.length
    const shown: string[] = []
    const preloaded: string[] = []
    for (const view of numbers(views)) {
      const shopper = `shopper-${view % SHOPPERS}`
      const id = `view-${view}-`.padEnd(22, 'x')
      const product_id = products[Math.floor(view / SHOPPERS) % products.length] ?? ''
      await launch(shopper, id, { product_id, preload: '1' })
      preloaded.push(id)
      if (view % 21 > 0) continue
      // The shopper clicks: the loader shows what it has preloaded, and says so when it asks for the result.
      await companion.fetch(get(`/purchases/${id}?opened=1`, shopper))
      shown.push(id)
    }

    const records = await Promise.all([...real.keys(), ...preloaded].map((id) => store.purchases.find(id)))
    const kept = records.filter((record) => record !== null)
    const waiting = kept.filter(({ preloadedUntil }) => preloadedUntil !== null)
    expect(waiting.length).toBeLessThanOrEqual(SHOPPERS * PRELOADED_PER_SHOPPER)
    expect(kept.length).toBe(real.size + shown.length + waiting.length)
    expect(createPurchase).toHaveBeenCalledTimes(views)
    const reads = asked.mock.calls.length - readsBefore
    // Questions about purchases without an order read the service; preloading does not.
    expect(reads).toBeLessThanOrEqual(shown.length)

    for (const params of real.values()) {
      await companion.syncOrder({ order_id: (await service.buy(params)).id })
    }
    await expect.poll(() => received.length).toBe(real.size)
    expect(new Set(received.map(({ purchase }) => purchase.state))).toEqual(new Set(['matched']))
    recordFigure(
      `${views} page views that preload, by ${SHOPPERS} shoppers, ${shown.length} of them opened, ${name} store`,
      `${createPurchase.mock.calls.length} calls of createPurchase, ${kept.length} purchases stored (${waiting.length} of them preloaded), ${reads} reads of the service, 0 of ${real.size} real purchases evicted`,
    )
  },
)
