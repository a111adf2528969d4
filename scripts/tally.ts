/** Reads the reports of test runners: how many tests passed, which failed, and how long the tests of each file took. */
import { relative } from 'node:path'
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'
import { root } from './run.ts'

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Names of the failed tests, as far as the report has them. */
  failures: readonly string[]
  /** By file, and with Playwright by engine and file. */
  seconds?: Readonly<Record<string, number>>
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] }

export const oneFailure = (name: string): Tally => ({ ...none, failed: 1, failures: [name] })

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
  seconds: { ...a.seconds, ...b.seconds },
})

/** The ten files that took longest, one to a line. */
export const slowestOf = ({ seconds = {} }: Tally): string =>
  Object.entries(seconds)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([file, seconds]) => `${seconds.toFixed(0).padStart(5)} s  ${file}\n`)
    .join('')

export function readVitest(report: unknown): Tally {
  const { testResults } = report as JsonTestResults
  return testResults
    .map(({ name, status, startTime, endTime, assertionResults: tests }): Tally => {
      const file = relative(root, name)
      const isPassed = (test: (typeof tests)[number]): boolean =>
        // A test that passed on a retry still has the messages of the earlier attempts.
        test.status === 'passed' && !test.failureMessages?.length
      const passed = tests.filter(isPassed).length
      const failures = tests
        .filter((test) => !isPassed(test) && ['passed', 'failed'].includes(test.status))
        .map(({ fullName }) => `${file}: ${fullName}`)
      const skipped = tests.length - passed - failures.length
      // A file that failed to load has no tests that could fail.
      if (status === 'failed' && !tests.some((test) => test.status === 'failed')) failures.push(file)
      const seconds = { [file]: (endTime - startTime) / 1_000 }
      return { passed, failed: failures.length, skipped, failures, seconds }
    })
    .reduce(add, none)
}

export function readPlaywright(report: unknown): Tally {
  const { stats, errors, suites } = report as JSONReport
  const tests = suites.flatMap(testsOf)
  const seconds: Record<string, number> = {}
  for (const { place, results } of tests)
    for (const { duration } of results) seconds[place] = (seconds[place] ?? 0) + duration / 1_000
  return {
    passed: stats.expected,
    // A test that passed on a retry has failed once.
    failed: stats.flaky + stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ place, title }) => `${place}: ${title}`),
    seconds,
  }
}

/** The tests of a suite and its nested suites, each with its engine and file. */
const testsOf = ({ suites = [], specs = [] }: Partial<JSONReportSuite>): PlaywrightTest[] => [
  ...suites.flatMap(testsOf),
  ...specs.flatMap(({ title, file, tests }) =>
    tests.map((test) => ({ ...test, title, place: `[${test.projectName}] ${file}` })),
  ),
]

type PlaywrightTest = JSONReportTest & { place: string; title: string }
