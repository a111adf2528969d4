import { defineProject } from 'vitest/config'
import { excludeSlow } from '../../scripts/tier.ts'

export default defineProject({
  test: {
    name: 'sandbox',
    include: ['test/**/*.test.ts'],
    exclude: excludeSlow('test/{durability,figures}.test.ts'),
    testTimeout: 30_000,
    // A busy machine takes long for what is awaited; Vitest's own limit is one second.
    expect: { poll: { timeout: 20_000 } },
    // Vitest chooses one worker on two cores; these tests mostly wait.
    maxWorkers: 4,
  },
})
