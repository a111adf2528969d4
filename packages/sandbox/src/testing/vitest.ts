/** For Vitest: a sandbox and the merchant's own server; each test that uses them gets its own. */
import { type TestAPI, test } from 'vitest'
import type { SandboxOptions } from '../options.ts'
import { startTestSandbox, type TestSandbox } from './control.ts'
import { type Shop, type ShopOptions, startShop } from './startShop.ts'

/**
 * Vitest's `test` with a `sandbox`, started before each test that uses it and closed afterwards. Starting takes milliseconds,
 * so tests share nothing and may run concurrently.
 *
 *     const test = testWithSandbox()
 *     test('sells gold', async ({ sandbox }) => { … sandbox.urls.baseUrl … })
 */
export function testWithSandbox(options: SandboxOptions = {}): TestAPI<{ sandbox: TestSandbox }> {
  return test.extend<{ sandbox: TestSandbox }>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern.
    sandbox: async ({}, use) => {
      const sandbox = await startTestSandbox(options)
      await use(sandbox)
      await sandbox.close()
    },
  })
}

interface Running {
  sandbox: TestSandbox
  shop: Shop
}

/**
 * The same with the merchant's own server as `shop`. It must respond within four fifths of the test's timeout; if it is slower, raise `testTimeout`.
 *
 *     const test = testWithShop({ command: 'node server.ts' })
 *     test('sells gold', async ({ sandbox, shop }) => { … fetch(`${shop.url}/`) … })
 */
export function testWithShop(
  shop: ShopOptions,
  options: SandboxOptions = {},
): TestAPI<Running & { running: Running }> {
  return test.extend<Running & { running: Running }>({
    running: async ({ task }, use) => {
      // Less than the test's timeout, which would hide the server's output.
      const running = await startShop(shop, options, Math.round(task.timeout * 0.8))
      await use(running)
      await running.shop.close()
      await running.sandbox.close()
    },
    sandbox: ({ running }, use) => use(running.sandbox),
    shop: ({ running }, use) => use(running.shop),
  })
}
