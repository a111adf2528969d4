// Promise: build/runners
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { durationsOf, slowestOf } from '../durations.ts'
import { fullRunners, quickRunners } from '../runners.ts'

const vitestReport = (
  ...tests: { fullName: string; status: string; failureMessages: string[] }[]
): unknown => ({
  testResults: [
    { name: join(import.meta.dirname, 'file.test.ts'), status: 'passed', assertionResults: tests },
  ],
})

const playwrightReport = {
  stats: { expected: 1, flaky: 1, unexpected: 0, skipped: 1 },
  errors: [],
  suites: [
    {
      suites: [
        {
          specs: [
            { title: 'repeated', file: 'file.spec.ts', tests: [{ projectName: 'firefox', status: 'flaky' }] },
            {
              title: 'passed',
              file: 'file.spec.ts',
              tests: [{ projectName: 'firefox', status: 'expected' }],
            },
          ],
        },
      ],
    },
  ],
}

/** A runner's report of one test that passed, one that passed when it was repeated, and one that was skipped. */
const ofVitest = vitestReport(
  { fullName: 'passed', status: 'passed', failureMessages: [] },
  { fullName: 'repeated', status: 'passed', failureMessages: ['AssertionError: expected 0 to be 1'] },
  { fullName: 'skipped', status: 'skipped', failureMessages: [] },
)
const reports: Record<string, unknown> = {
  unit: ofVitest,
  runtimes: ofVitest,
  e2e: playwrightReport,
  kit: playwrightReport,
  docs: playwrightReport,
  examples: playwrightReport,
  // Nothing is repeated there: a step that failed once has failed.
  outside: { passed: 1, failed: 1, skipped: 1, failures: ['outside: hono, buy'] },
}

const named: Record<string, readonly string[]> = {
  unit: ['scripts/test/file.test.ts: repeated'],
  runtimes: ['scripts/test/file.test.ts: repeated'],
  outside: ['outside: hono, buy'],
}

describe.each([...quickRunners, ...fullRunners])('the runner $name', (runner) => {
  test('a test that failed before it passed counts as failed, and is named', () => {
    const failures = named[runner.name] ?? ['[firefox] file.spec.ts: repeated']
    expect(runner.read(reports[runner.name])).toEqual({ passed: 1, failed: 1, skipped: 1, failures })
  })

  test('no test is repeated', () => {
    expect(runner.args.join(' ')).not.toMatch(/--retr(y|ies)/)
  })
})

test('the slowest files come first, and Playwright’s tests are summed by engine and file', () => {
  const spec = (projectName: string, duration: number) => ({
    file: 'buy.spec.ts',
    tests: [{ projectName, results: [{ duration }] }],
  })
  const vitest = {
    testResults: [{ name: join(process.cwd(), 'a.test.ts'), startTime: 1_000, endTime: 4_000 }],
  }
  const playwright = {
    suites: [{ suites: [{ specs: [spec('webkit', 2_000)] }], specs: [spec('webkit', 3_000)] }],
  }
  expect(slowestOf([vitest, playwright, { passed: 17 }].flatMap(durationsOf))).toBe(
    '    5 s  [webkit] buy.spec.ts\n    3 s  a.test.ts\n',
  )
})
