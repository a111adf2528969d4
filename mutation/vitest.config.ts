/** What mutants are tried against: the test files that MUTATION_TESTS names, of the copy that Stryker makes. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    testTimeout: Number(process.env.MUTATION_SECONDS ?? 40) * 1_000,
    hookTimeout: 60_000,
    // Many changes are noticed by what never comes. Run this on a machine that does nothing else.
    expect: { poll: { timeout: 20_000 } },
  },
})
