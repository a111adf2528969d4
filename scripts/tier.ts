import { configDefaults } from 'vitest/config'

/** What Vitest leaves out of the quick tier, which `pnpm test` chooses with this variable: files that take minutes, or a database server. */
export const excludeSlow = (...files: readonly string[]): string[] => [
  ...configDefaults.exclude,
  ...(process.env.TEST_TIER === 'quick' ? files : []),
]
