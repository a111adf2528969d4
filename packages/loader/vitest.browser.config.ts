import { defineConfig } from 'vitest/config'
import { inChromium } from '../../scripts/inChromium.ts'
import { maxWorkers } from '../../scripts/tier.ts'
import { merchant } from './test/browser/merchant.ts'

export default defineConfig({
  cacheDir: '../../.cache/vite/loader-browser',
  plugins: [merchant()],
  test: {
    name: 'loader-browser',
    include: ['test/browser/*.test.ts'],
    maxWorkers,
    // For the pages' own code, which has no environment.
    env: { EVIDENCE: process.env.EVIDENCE ?? '' },
    // The machine may be busy; no test claims a time.
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    browser: inChromium(),
  },
})
