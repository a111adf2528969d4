import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'sandbox',
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // A busy machine takes long for what is awaited; Vitest's own limit is one second.
    expect: { poll: { timeout: 20_000 } },
    // Vitest's own choice on two cores is one at a time; these mostly wait for a browser.
    maxWorkers: 2,
  },
})
