/** A sandbox for Playwright, one per worker, reset before each test that asks for it; and a buyer on the test's page. */
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
import { startTestSandbox, type TestSandbox } from './startTestSandbox.ts'

export { type Buyer, createBuyer, type Payment } from './buyer.ts'

export interface SandboxFixtures {
  sandbox: TestSandbox
  /** Uses the widget page wherever this test's `page` opens it. */
  buyer: Buyer
}

export interface SandboxWorkerFixtures {
  /** Set it with `test.use({ sandboxOptions: { … } })` in a file or in the configuration. */
  sandboxOptions: SandboxOptions
  runningSandbox: TestSandbox
}

/**
 * Playwright's `test` with a `sandbox` and a `buyer`.
 *
 *     import { test } from '@purchase-widget/sandbox/playwright'
 *     test('sells gold', async ({ page, sandbox, buyer }) => { … await buyer.pay() … })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
> = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  runningSandbox: [
    async ({ sandboxOptions }, use) => {
      const sandbox = await startTestSandbox(sandboxOptions)
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ runningSandbox }, use) => {
    runningSandbox.reset()
    await use(runningSandbox)
  },
  buyer: async ({ page, runningSandbox }, use) => use(createBuyer(page, runningSandbox.urls.widgetUrl)),
})
