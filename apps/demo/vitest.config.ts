import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'demo',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Vitest chooses one worker on two cores; these tests mostly wait.
    maxWorkers: 4,
  },
})
