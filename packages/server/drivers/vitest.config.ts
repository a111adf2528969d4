import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'drivers',
    root: import.meta.dirname,
    include: ['*.suite.ts'],
    globalSetup: 'install.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
