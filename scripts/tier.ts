import { configDefaults } from 'vitest/config'

/** `files` in the quick tier, which `pnpm test` selects with this variable: they take minutes, or need a database server. */
export const slow = (...files: readonly string[]): string[] =>
  process.env.TEST_TIER === 'quick' ? [...files] : []

/** The files that Vitest excludes. */
export const excludeSlow = (...files: readonly string[]): string[] => [
  ...configDefaults.exclude,
  ...slow(...files),
]

/** Test files that run concurrently. Vitest defaults to one on two cores, but tests mostly wait; equal numbers keep all projects in one group. */
export const maxWorkers = 4
