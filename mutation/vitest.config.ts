/** What mutants are tried against: the test files that MUTATION_TESTS names, of the copy that Stryker makes. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine under load may take long to come to what is waited for.
    expect: { poll: { timeout: 30_000 } },
  },
})
