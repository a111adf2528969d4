import { defineProject } from 'vitest/config'
import { excludeSlow, maxWorkers } from '../../scripts/tier.ts'

export default defineProject({
  test: {
    name: 'sandbox',
    include: ['test/**/*.test.ts'],
    exclude: excludeSlow('test/durability.test.ts', 'test/widget/looks.test.ts'),
    // Ends what hangs; no test claims a time. A busy machine takes ten seconds to start a process.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine takes long for what is awaited; Vitest's own limit is one second.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers,
  },
})
