/** What every store promises, as a suite of tests for any runner. */
import type { Checks, StoresUnderTest } from './conformance/checks.ts'
import { handledChecks } from './conformance/handled.ts'
import { jobChecks } from './conformance/jobs.ts'
import { purchaseChecks } from './conformance/purchases.ts'
import { sharedChecks } from './conformance/shared.ts'

/** `describe` and `test` of Vitest, Jest, Bun or `node:test`. */
export interface Runner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>): void
}

/** Called for each test: two instances over empty data. */
export type OpenStores = () => Promise<StoresUnderTest>

/**
 * Declares the tests that a store has to pass. They wait for ends of lives and claims, half a minute together. None shares anything with
 * another, so that a runner may run them at the same time.
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
