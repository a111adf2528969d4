import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'demo',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Vitest's own choice on two cores is one at a time; these mostly wait for a browser.
    maxWorkers: 2,
  },
})
