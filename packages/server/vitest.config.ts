import { defineConfig } from 'vitest/config'
import { excludeSlow, maxWorkers } from '../../scripts/tier.ts'

const inFull = process.env.EVIDENCE === 'full'
/** Eight processes on Postgres; outside evidence, token/shared holds the same without them. */
const fleet = inFull ? [] : ['test/proofs/fleet.test.ts']

export default defineConfig({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts'],
    exclude: [
      ...excludeSlow('test/serve/{deploy,shops}.test.ts', 'test/proofs/**', 'test/stores/postgres.test.ts'),
      ...fleet,
    ],
    // These end what hangs; no test claims a time. With four busy loops beside it, one that starts five processes took 46 s.
    testTimeout: inFull ? 900_000 : 180_000,
    hookTimeout: 180_000,
    // A machine under load may take long to come to what is waited for.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers,
  },
})
