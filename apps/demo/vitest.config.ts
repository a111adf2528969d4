import { defineConfig } from 'vitest/config'
import { excludeSlow, maxWorkers } from '../../scripts/tier.ts'

export default defineConfig({
  test: {
    name: 'demo',
    include: ['test/**/*.test.ts'],
    exclude: excludeSlow('test/{firstScreen,pages}.test.ts'),
    // Only stops hanging tests; no test asserts a duration. Four axe runs over a page take a minute on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers,
  },
})
