// Promise: interface/covered
/** docs/interface-coverage.md names a test for each statement of the service's interface: every one of them is there, and is run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type NamedTest, notPassed, sandboxTests, sectionsOf } from '../interfaceTests.ts'

const root = join(import.meta.dirname, '../..')
const sections = sectionsOf(readFileSync(join(root, 'docs/interface-coverage.md'), 'utf8'))

/** What keeps a test with this title from being run; null when nothing does. */
function whyNotRun({ package: name, file, title }: NamedTest): string | null {
  if (!file.startsWith(`packages/${name}/test/`)) return 'its link leads to another package'
  const source = readFileSync(join(root, file), 'utf8')
  const at = ["'", '`', '"'].map((quote) => source.indexOf(quote + title + quote)).find((index) => index >= 0)
  if (at === undefined) return 'there is no such test'
  return /\.(skip|todo|fails)\($/.test(source.slice(0, at).trimEnd()) ? 'it is skipped' : null
}

test('sections 1 to 8 have statements, each with a test', () => {
  expect(sections.map(({ number }) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const rows = sections.slice(0, 8).map(({ statements }) => statements)
  expect(rows.filter((each) => each.length === 0)).toEqual([])
  expect(rows.flat().filter(({ tests }) => tests.length === 0)).toEqual([])
  expect(rows.flat().length).toBeGreaterThan(40)
})

test('each test that the page names exists, and is run', () => {
  const missing = sections
    .flatMap(({ statements }) => statements)
    .flatMap(({ statement, tests }) => tests.map((named) => ({ statement, named, why: whyNotRun(named) })))
    .filter(({ why }) => why !== null)
  expect(missing).toEqual([])
})

test('the sandbox tests each section that has fields, operations or rules', () => {
  const tests = sandboxTests()
  expect(new Set(tests.map(({ title }) => title.charAt(0)))).toEqual(new Set(['2', '4', '5', '7', '8']))
  expect(tests.length).toBeGreaterThan(100)
})

test('a name that no test has is found', () => {
  const file = 'packages/server/test/client/operations.test.ts'
  expect(whyNotRun({ package: 'server', file, title: 'sends nothing' })).toBe('there is no such test')
  expect(whyNotRun({ package: 'loader', file, title: 'accepts %s days' })).toBe(
    'its link leads to another package',
  )
})

test('a named test that was not run is found, also one of a table', () => {
  const file = 'packages/server/test/client/operations.test.ts'
  const ran = (title: string, status: string) => ({
    testResults: [
      {
        name: join(root, file),
        status,
        assertionResults: [{ title, fullName: title, status, failureMessages: [] }],
      },
    ],
  })
  const named = [{ package: 'server', file, title: 'accepts %s days' }]
  expect(notPassed(named, ran('accepts 30 days', 'passed'))).toEqual([])
  expect(notPassed(named, ran('accepts 30 days', 'skipped'))).toEqual([])
  expect(notPassed(named, ran('accepts 30 days', 'failed'))).toHaveLength(1)
  expect(notPassed(named, ran('refuses 31 days', 'passed'))).toHaveLength(1)
})
