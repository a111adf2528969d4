/** A sandbox for Vitest: each test that asks for it has one of its own. */
import { type TestAPI, test } from 'vitest'
import type { SandboxOptions } from '../options.ts'
import { startTestSandbox, type TestSandbox } from './startTestSandbox.ts'

/**
 * Vitest's `test` with a `sandbox`, started before each test that asks for it and closed after. Starting takes milliseconds,
 * so tests share nothing and may run at the same time.
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
