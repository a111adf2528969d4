/** A sandbox for Playwright: one per worker, reset before each test that asks for it. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { createSandbox, type Sandbox } from '../createSandbox.ts'
import type { SandboxOptions } from '../options.ts'

export interface SandboxFixtures {
  sandbox: Sandbox
}

export interface SandboxWorkerFixtures {
  /** Set it with `test.use({ sandboxOptions: { … } })` in a file or in the configuration. */
  sandboxOptions: SandboxOptions
  runningSandbox: Sandbox
}

/**
 * Playwright's `test` with a `sandbox`.
 *
 *     import { test } from '@purchase-widget/sandbox/playwright'
 *     test('sells gold', async ({ page, sandbox }) => { … sandbox.urls.widgetUrl … })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SandboxWorkerFixtures
> = base.extend<SandboxFixtures, SandboxWorkerFixtures>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  runningSandbox: [
    async ({ sandboxOptions }, use) => {
      const sandbox = await createSandbox(sandboxOptions)
      await use(sandbox)
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ runningSandbox }, use) => {
    runningSandbox.reset()
    await use(runningSandbox)
  },
})
