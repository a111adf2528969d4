// Promise: interface/covered
/** docs/interface-coverage.md names a test for each statement of the service's interface: every one of them exists and runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface NamedTest {
  package: string
  /** Relative to the root of the repository. */
  file: string
  /** As in the source, with placeholders for tests of a table. */
  title: string
}

/** The rows of the page's tables, section by section. */
const sections = readFileSync(join(root, 'docs/interface-coverage.md'), 'utf8')
  .split(/^## (?=\d\. )/m)
  .slice(1)
  .map((section) => ({
    number: section.charAt(0),
    statements: section
      .split('\n')
      .filter((line) => line.includes('](../packages/'))
      .map((line) => ({ statement: line.split(' | ')[0]?.replace('| ', ''), tests: testsOf(line) })),
  }))

function testsOf(line: string): NamedTest[] {
  return [...line.matchAll(/\[(\w+)\]\(\.\.\/(packages\/[^ )]+) (["'])(.+?)\3\)/g)].map(
    ([, name = '', file = '', , title = '']) => ({ package: name, file, title }),
  )
}

/** Why a test with this title does not run; null when it does. */
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

test('each test that the page names exists and runs', () => {
  const missing = sections
    .flatMap(({ statements }) => statements)
    .flatMap(({ statement, tests }) => tests.map((named) => ({ statement, named, why: whyNotRun(named) })))
    .filter(({ why }) => why !== null)
  expect(missing).toEqual([])
})
