// Promises: build/runners, build/evidence
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageOf, sorted } from '../figures.ts'
import { missingPrograms, tiers } from '../runners.ts'
import { readPlaywright, readVitest, slowestOf } from '../tally.ts'

const vitest = readVitest({
  testResults: [
    {
      name: join(import.meta.dirname, 'file.test.ts'),
      status: 'passed',
      startTime: 1_000,
      endTime: 4_000,
      assertionResults: [
        { fullName: 'passed', status: 'passed', failureMessages: [] },
        { fullName: 'repeated', status: 'passed', failureMessages: ['expected 0 to be 1'] },
        { fullName: 'skipped', status: 'skipped', failureMessages: [] },
      ],
    },
  ],
})

const ofFirefox = (title: string, status: string, duration: number) => ({
  title,
  file: 'file.spec.ts',
  tests: [{ projectName: 'firefox', status, results: [{ duration }] }],
})
const playwright = readPlaywright({
  stats: { expected: 1, flaky: 1, unexpected: 0, skipped: 1 },
  errors: [],
  suites: [
    {
      specs: [ofFirefox('passed', 'expected', 3_000)],
      suites: [{ specs: [ofFirefox('repeated', 'flaky', 2_000)] }],
    },
  ],
})

test.each([
  [vitest, 'scripts/test/file.test.ts: repeated'],
  [playwright, '[firefox] file.spec.ts: repeated'],
])('a test that failed before it passed counts as failed, and is named', (tally, name) => {
  expect(tally).toMatchObject({ passed: 1, failed: 1, skipped: 1, failures: [name] })
})

test('no test is repeated', () => {
  const args = Object.values(tiers).flatMap((runners) => runners.flatMap((runner) => runner.args))
  expect(args.join(' ')).not.toMatch(/--retr(y|ies)/)
})

test('the slowest files are named, with the sum of their tests', () => {
  expect(slowestOf(vitest)).toBe('    3 s  scripts/test/file.test.ts\n')
  expect(slowestOf(playwright)).toBe('    5 s  [firefox] file.spec.ts\n')
})

test('every missing program is named', () => {
  expect(missingPrograms({ Chromium: () => true, Firefox: () => false, postgresql: () => false })).toEqual([
    'Firefox',
    'postgresql',
  ])
})

test('partial measurements form one page, in which a repeated claim has its last figure', () => {
  const run = { run: 'e2e matrix', date: '2026-11-20', minutes: 37, passed: 480, failed: 0, skipped: 0 }
  const evidence = sorted([
    { claim: 'crossed, webkit', figure: '1 of 9' },
    { claim: 'orders delivered | twice', figure: 3 },
    run,
    { claim: 'crossed, webkit', figure: '0 of 9' },
  ])
  expect(pageOf({ ...evidence, commit: 'c0ffee', machine: 'linux, 2 cores' })).toBe(`# Evidence

Every proof is against the sandbox of this repository, none against the service. Commit c0ffee; linux, 2 cores.

| run | date | minutes | passed | failed | skipped |
| --- | --- | --- | --- | --- | --- |
| e2e matrix | 2026-11-20 | 37 | 480 | 0 | 0 |

| claim | figure |
| --- | --- |
| crossed, webkit | 0 of 9 |
| orders delivered \\| twice | 3 |

`)
})
