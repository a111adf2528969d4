/**
 * For Playwright: a sandbox and the merchant's own server, one of each per worker, reset before each test that uses them; and a
 * buyer on the test's page.
 */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { SandboxOptions } from '../options.ts'
import { type Buyer, createBuyer } from './buyer.ts'
import { startTestSandbox, type TestSandbox } from './control.ts'
import { type ShopOptions, startShop } from './startShop.ts'

export { type Buyer, createBuyer, type Payment } from './buyer.ts'

export interface SandboxFixtures {
  sandbox: TestSandbox
  /** Operates the widget page wherever this test's `page` opens it. */
  buyer: Buyer
}

/** Set them with `test.use({ … })` in a file, or under `use` in the configuration. */
export interface SandboxWorkerFixtures {
  sandboxOptions: SandboxOptions
  /** The merchant's server, reachable at `baseURL`. Default: none is started. */
  shop: ShopOptions | null
  running: { sandbox: TestSandbox; shopUrl: string | undefined }
}

/**
 * Playwright's `test` with a `sandbox`, a `buyer` and the merchant's own server.
 *
 *     import { test } from '@purchase-widget/sandbox/playwright'
 *     test.use({ shop: { command: 'node server.ts' } })
 *     test('sells gold', async ({ page, buyer }) => { await page.goto('/') … await buyer.pay() … })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
> = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  shop: [null, { option: true, scope: 'worker' }],
  running: [
    async ({ sandboxOptions, shop }, use) => {
      const running = shop
        ? await startShop(shop, sandboxOptions)
        : { sandbox: await startTestSandbox(sandboxOptions), shop: null }
      await use({ sandbox: running.sandbox, shopUrl: running.shop?.url })
      await running.shop?.close()
      await running.sandbox.close()
    },
    // A separate timeout, longer than the server's: Playwright's timeout would hide the server's output.
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ baseURL, running }, use) => use(running.shopUrl ?? baseURL),
  sandbox: async ({ running }, use) => {
    running.sandbox.reset()
    await use(running.sandbox)
  },
  buyer: async ({ page, sandbox }, use, { timeout }) => {
    // Half of the test's timeout, which would otherwise hide the buyer's error; 0 means no timeout.
    await use(createBuyer(page, sandbox.urls.widgetUrl, timeout > 0 ? { timeout: timeout / 2 } : {}))
  },
})
