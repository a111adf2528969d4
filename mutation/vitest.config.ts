/** What mutants are tried against: the test files that MUTATION_TESTS names, of the copy that Stryker makes; in Chromium for MUTATION_BROWSER. */
import { defineConfig } from 'vitest/config'
import { merchant } from '../packages/loader/test/browser/merchant.ts'
import { inChromium } from '../scripts/inChromium.ts'

const isInBrowser = !!process.env.MUTATION_BROWSER

export default defineConfig({
  plugins: isInBrowser ? [merchant()] : [],
  test: {
    ...(isInBrowser && { browser: inChromium() }),
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    testTimeout: Number(process.env.MUTATION_SECONDS ?? 40) * 1_000,
    hookTimeout: 60_000,
    // Many changes are noticed by what never comes. Run this on a machine that does nothing else.
    expect: { poll: { timeout: isInBrowser ? 4_000 : 20_000 } },
  },
})
