/** For stores of your own: the suite that ours pass (`@purchase-widget/server/testing`). */
import type { Checks, StoresUnderTest } from './checks.ts'
import { jobChecks } from './jobs.ts'
import { purchaseChecks } from './purchases.ts'
import { handledChecks, sharedChecks } from './shared.ts'

/** The limits that the suite tests, and the key and the kind by which a shopper's purchase records are found and counted. */
export {
  DEAD_LETTERS,
  KEEP_PRELOADED_MS,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  kindOf,
  ORDERS_PER_PURCHASE,
  PRELOADED_PER_SHOPPER,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  SETTLED_FOR_SHOPPER,
  shopperKey,
  UNAUTHENTICATED_JOBS,
} from '../src/stores/store.ts'
export type { StoresUnderTest } from './checks.ts'

/** `describe` and `test` of Vitest, Jest, Bun or `node:test`. */
export interface Runner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>): void
}

/** Called for each test: two instances over empty data. */
export type OpenStores = () => Promise<StoresUnderTest>

/**
 * Declares the tests that a store must pass. They wait for values and claims to expire, half a minute in total. They share nothing, so
 * a runner may run them at the same time.
 *
 *     storeConformance({ describe, test }, 'my store', async () => {
 *       const data = await emptyData()
 *       const [one, other] = [myStore(data), myStore(data)]
 *       return { one, other, end: () => Promise.all([one.close(), other.close()]) }
 *     })
 */
export function storeConformance({ describe, test }: Runner, name: string, open: OpenStores): void {
  describe(`${name}: purchases`, () => declare(test, open, purchaseChecks))
  describe(`${name}: jobs`, () => declare(test, open, jobChecks))
  describe(`${name}: what was handled`, () => declare(test, open, handledChecks))
  describe(`${name}: shared state`, () => declare(test, open, sharedChecks))
}

function declare(test: Runner['test'], open: OpenStores, checks: Checks): void {
  for (const [sentence, check] of Object.entries(checks)) {
    test(sentence, async () => {
      const stores = await open()
      try {
        await check(stores)
      } finally {
        await stores.end()
      }
    })
  }
}
