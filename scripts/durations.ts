/** Reads from the report of Vitest or Playwright how long the tests of each file took. */
import { relative } from 'node:path'

export interface Duration {
  file: string
  seconds: number
}

interface Report {
  testResults?: readonly { name: string; startTime: number; endTime: number }[]
  suites?: readonly Suite[]
}

interface Suite {
  suites?: readonly Suite[]
  specs?: readonly {
    file: string
    tests: readonly { projectName: string; results: readonly { duration: number }[] }[]
  }[]
}

/** One entry for each file, and with Playwright for each engine; none for a report of another program. */
export function durationsOf(report: unknown): Duration[] {
  const { testResults = [], suites = [] } = report as Report
  const root = process.cwd()
  return [
    ...testResults.map(({ name, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1_000,
    })),
    ...summedByFile(suites.flatMap(testsOf)),
  ]
}

const testsOf = ({ suites = [], specs = [] }: Suite): Duration[] => [
  ...suites.flatMap(testsOf),
  ...specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ projectName, results }) =>
      results.map(({ duration }) => ({
        file: projectName ? `[${projectName}] ${file}` : file,
        seconds: duration / 1_000,
      })),
    ),
  ),
]

function summedByFile(tests: readonly Duration[]): Duration[] {
  const seconds = new Map<string, number>()
  for (const test of tests) seconds.set(test.file, (seconds.get(test.file) ?? 0) + test.seconds)
  return [...seconds].map(([file, seconds]) => ({ file, seconds }))
}

/** The ten that took longest, one to a line. */
export const slowestOf = (durations: readonly Duration[]): string =>
  durations
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file}\n`)
    .join('')
