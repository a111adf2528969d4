import { defineConfig } from 'vitest/config'

/** One file after another: each starts processes of its own. */
export default defineConfig({
  test: {
    name: 'runtimes',
    root: import.meta.dirname,
    include: ['*.suite.ts'],
    globalSetup: 'install.ts',
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
  },
})
