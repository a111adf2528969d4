/** docs/interface.md names a test for each statement of the service's interface: every one of them is there, and is run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(docs, 'interface.md'), 'utf8')

interface Named {
  package: string
  file: string
  title: string
}

/** The rows of a section's table: a statement, and the tests that hold it. */
const rowsOf = (section: string): { statement: string; tests: Named[] }[] =>
  section
    .split('\n')
    .filter((line) => line.includes('](../packages/'))
    .map((line) => ({
      statement: line.split(' | ')[0]?.replace('| ', '') ?? '',
      tests: [...line.matchAll(/\[(\w+)\]\((\.\.\/packages\/[^ )]+) (["'])(.+?)\3\)/g)].map(
        ([, name = '', file = '', , title = '']) => ({ package: name, file, title }),
      ),
    }))

const sections = page.split(/^## (?=\d\. )/m).slice(1)

/** What keeps a test with this title from being run; null when nothing does. */
function whyNotRun({ package: name, file, title }: Named): string | null {
  if (!file.startsWith(`../packages/${name}/test/`)) return 'its link leads to another package'
  const source = readFileSync(join(docs, file), 'utf8')
  const at = ["'", '`', '"'].map((quote) => source.indexOf(quote + title + quote)).find((index) => index >= 0)
  if (at === undefined) return 'there is no such test'
  return /\.(skip|todo|fails)\($/.test(source.slice(0, at).trimEnd()) ? 'it is skipped' : null
}

test('sections 1 to 8 have statements, each with a test', () => {
  expect(sections.map((section) => section[0])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const rows = sections.slice(0, 8).map(rowsOf)
  expect(rows.filter((each) => each.length === 0)).toEqual([])
  expect(rows.flat().filter(({ tests }) => tests.length === 0)).toEqual([])
  expect(rows.flat().length).toBeGreaterThan(40)
})

test('each test that the page names is there, and is run', () => {
  const missing = sections
    .flatMap(rowsOf)
    .flatMap(({ statement, tests }) => tests.map((named) => ({ statement, named, why: whyNotRun(named) })))
    .filter(({ why }) => why !== null)
  expect(missing).toEqual([])
})

test('a name that no test has is found', () => {
  const file = '../packages/server/test/operations.test.ts'
  expect(whyNotRun({ package: 'server', file, title: 'sends nothing' })).toBe('there is no such test')
  expect(whyNotRun({ package: 'loader', file, title: 'accepts %s days' })).toBe(
    'its link leads to another package',
  )
})
