import { configDefaults } from 'vitest/config'

/** `files` where this is the quick tier, which `pnpm test` chooses with this variable: they take minutes, or a database server. */
export const slow = (...files: readonly string[]): string[] =>
  process.env.TEST_TIER === 'quick' ? [...files] : []

/** What Vitest leaves out. */
export const excludeSlow = (...files: readonly string[]): string[] => [
  ...configDefaults.exclude,
  ...slow(...files),
]
