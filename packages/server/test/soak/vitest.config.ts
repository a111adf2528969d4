/** Half an hour of a fleet under load: `pnpm evidence soak`. Not part of the tests, since it takes too long. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'soak', root: import.meta.dirname, include: ['*.soak.ts'], hookTimeout: 120_000 },
})
