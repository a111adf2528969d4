/** Reads what a test runner reports: how many tests passed, and which failed. */
import { dirname, relative } from 'node:path'

const root = dirname(import.meta.dirname)

export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Of the failed tests, as far as the report names them. */
  failures: readonly string[]
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] }

export const oneFailure = (name: string): Tally => ({ ...none, failed: 1, failures: [name] })

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
})

export interface VitestReport {
  testResults: { name: string; status: string; assertionResults: VitestResult[] }[]
}

interface VitestResult {
  title: string
  fullName: string
  status: string
  failureMessages: string[]
}

/** Also one that passed when it was repeated: then the messages of the attempts before are in the report. */
const hasFailed = ({ status, failureMessages }: VitestResult): boolean =>
  status === 'failed' || (status === 'passed' && failureMessages.length > 0)

export function readVitest(report: unknown): Tally {
  const { testResults } = report as VitestReport
  return testResults
    .map(({ name, status, assertionResults: tests }): Tally => {
      const failures = tests.filter(hasFailed).map(({ fullName }) => `${relative(root, name)}: ${fullName}`)
      // A file that could not be loaded has no tests to fail.
      if (status === 'failed' && !tests.some((test) => test.status === 'failed'))
        failures.push(relative(root, name))
      const passed = tests.filter((test) => test.status === 'passed' && !hasFailed(test)).length
      const skipped = tests.length - passed - tests.filter(hasFailed).length
      return { passed, failed: failures.length, skipped, failures }
    })
    .reduce(add, none)
}

interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number }
  errors: unknown[]
  suites: readonly PlaywrightSuite[]
}

interface PlaywrightSuite {
  suites?: readonly PlaywrightSuite[]
  specs?: readonly {
    title: string
    file: string
    tests: readonly { projectName: string; status: string }[]
  }[]
}

export function readPlaywright(report: unknown): Tally {
  const { stats, errors, suites } = report as PlaywrightReport
  return {
    passed: stats.expected,
    // A test that passed when it was repeated has failed once.
    failed: stats.flaky + stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: suites.flatMap(failuresOf),
  }
}

const failuresOf = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...suites.flatMap(failuresOf),
  ...specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName }) => `[${projectName}] ${file}: ${title}`),
  ),
]
