import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'react-server-19', include: ['test/server/*.test.tsx'] },
})
