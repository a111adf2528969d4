import { configDefaults } from 'vitest/config'

/** `files` where this is the quick tier, which `pnpm test` chooses with this variable: they take minutes, or a database server. */
export const slow = (...files: readonly string[]): string[] =>
  process.env.TEST_TIER === 'quick' ? [...files] : []

/** What Vitest leaves out. */
export const excludeSlow = (...files: readonly string[]): string[] => [
  ...configDefaults.exclude,
  ...slow(...files),
]

/** Test files that run at the same time. Vitest chooses one on two cores, but tests mostly wait; where the number is the same, all projects run in one group. */
export const maxWorkers = 4
