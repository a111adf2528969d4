/** What mutants are tried against: the test files that MUTATION_TESTS names, of the copy that Stryker makes; in Chromium for MUTATION_BROWSER. */
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { merchant } from '../packages/loader/test/browser/merchant.ts'
import { chromiumLaunch } from '../scripts/browsers.ts'

const inBrowser = {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: chromiumLaunch() ?? {} }),
  instances: [{ browser: 'chromium' as const }],
}

export default defineConfig({
  plugins: [merchant()],
  test: {
    ...(process.env.MUTATION_BROWSER && { browser: inBrowser }),
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    testTimeout: Number(process.env.MUTATION_SECONDS ?? 40) * 1_000,
    hookTimeout: 60_000,
    // Many changes are noticed by what never comes. Run this on a machine that does nothing else.
    expect: { poll: { timeout: process.env.MUTATION_BROWSER ? 4_000 : 20_000 } },
  },
})
