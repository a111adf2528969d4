import { defineConfig } from 'vitest/config'
import { excludeSlow, maxWorkers } from '../../scripts/tier.ts'

const inFull = process.env.EVIDENCE === 'full'

export default defineConfig({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts'],
    exclude: excludeSlow(
      'test/serve/{deploy,exactlyOnce,postgres,shops}.test.ts',
      'test/proofs/**',
      'test/stores/{postgres,transactions}.test.ts',
    ),
    // These end what hangs; no test claims a time. With four busy loops beside it, one that starts five processes took 46 s.
    testTimeout: inFull ? 900_000 : 180_000,
    hookTimeout: 180_000,
    // A machine under load may take long to come to what is waited for.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers,
  },
})
