/** Half an hour of a fleet under load: `pnpm evidence soak`. Not among the tests, which take no such time. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'soak', root: import.meta.dirname, include: ['*.soak.ts'], hookTimeout: 120_000 },
})
