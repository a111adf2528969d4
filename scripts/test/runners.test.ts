import { describe, expect, test } from 'vitest'
import { runners } from '../runners.ts'

const vitestReport = (...tests: { status: string; failureMessages: string[] }[]): unknown => ({
  testResults: [{ status: 'passed', assertionResults: tests }],
})

/** A runner's report of one test that passed, one that passed when it was repeated, and one that was skipped. */
const reports: Record<string, unknown> = {
  unit: vitestReport(
    { status: 'passed', failureMessages: [] },
    { status: 'passed', failureMessages: ['AssertionError: expected 0 to be 1'] },
    { status: 'skipped', failureMessages: [] },
  ),
  e2e: { stats: { expected: 1, flaky: 1, unexpected: 0, skipped: 1 }, errors: [] },
  // Nothing is repeated there: a step that failed once has failed.
  outside: { passed: 1, failed: 1, skipped: 1 },
  examples: { stats: { expected: 1, flaky: 1, unexpected: 0, skipped: 1 }, errors: [] },
}

describe.each(runners)('$name', (runner) => {
  test('a test that failed before it passed counts as failed', () => {
    expect(runner.read(reports[runner.name])).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })

  test('no test is repeated', () => {
    expect(runner.args.join(' ')).not.toMatch(/--retr(y|ies)/)
  })
})
