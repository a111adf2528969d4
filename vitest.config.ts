import { defineConfig } from 'vitest/config'
import { maxWorkers } from './scripts/tier.ts'

export default defineConfig({
  test: {
    projects: [
      'packages/*/vitest*.config.ts',
      'apps/*/vitest*.config.ts',
      { test: { name: 'scripts', include: ['scripts/test/*.test.ts'], maxWorkers } },
    ],
  },
})
