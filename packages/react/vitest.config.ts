import { defineConfig } from 'vitest/config'
import { maxWorkers } from '../../scripts/tier.ts'

export default defineConfig({
  test: { name: 'react-server-19', include: ['test/server/*.test.tsx'], maxWorkers },
})
