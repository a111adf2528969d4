/**
 * Checks formatting, lint rules, import directions, types, the snippets in the docs, the promises of the tests, unused code, the
 * packages as published, their sizes, then secrets, terms and the oldest browsers; stops at the first failure.
 *
 *     node scripts/check.ts          only checks
 *     node scripts/check.ts --fix    formats, and fixes what Biome can fix
 */
import { root, run } from './run.ts'

const fix = process.argv.includes('--fix')

const steps = [
  ['biome', fix ? 'check' : 'ci', '--error-on-warnings', ...(fix ? ['--write'] : []), '.'],
  ['depcruise', ...'packages apps e2e scripts bench mutation examples'.split(' ')],
  ['tsc', '-b'],
  ['node', 'scripts/snippets.ts'],
  ['node', 'scripts/promises.ts', '--summary'],
  ['knip', '--no-config-hints'],
  ['node', 'scripts/packages.ts'],
  // After packages.ts, which builds.
  ['node', 'scripts/sizes.ts'],
  ['node', 'scripts/lint.ts'],
] as const

for (const [command, ...args] of steps) {
  console.log(`> ${[command, ...args].join(' ')}`)
  run(root, command, ...args)
}
