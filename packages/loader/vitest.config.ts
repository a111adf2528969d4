import { defineConfig } from 'vitest/config'
import { maxWorkers } from '../../scripts/tier.ts'

export default defineConfig({
  test: { name: 'loader', include: ['test/*.test.ts'], testTimeout: 120_000, maxWorkers },
})
