/** The pages' promises to readers: the amount of text, and that docs/errors.md has every code. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

// Promise: docs/size
const words = (page: string): number => page.trim().split(/\s+/).length

const forContributors = ['assumptions.md', 'decisions.md', 'interface-coverage.md', 'measurements.md']
const pages = globSync('docs/*.md', { cwd: root })
const forReaders = pages.filter((file) => !forContributors.includes(basename(file)))
const startPages = forReaders.filter((file) => basename(file).startsWith('start-'))

test('readers have at most 20 pages, which with the README have at most 24,000 words', () => {
  expect(pages).toHaveLength(forReaders.length + forContributors.length)
  expect(forReaders.length).toBeLessThanOrEqual(20)
  const total = ['README.md', ...forReaders].reduce((sum, file) => sum + words(read(file)), 0)
  expect(total).toBeLessThanOrEqual(24_000)
})

/** The lines of code, without empty lines and comments. */
const linesOf = (page: string): string[] =>
  [...page.matchAll(/^```(?:tsx?|html|json)\n([\s\S]*?)^```$/gm)]
    .flatMap(([, code = '']) => code.split('\n'))
    .filter((line) => !/^\s*(\/\/|$)/.test(line))

test('each of five stacks has a start page', () => {
  expect(startPages).toHaveLength(5)
})

test.each(startPages)('%s has five steps, at most 450 words and at most 25 lines of code', (file) => {
  const page = read(file)
  expect(page.match(/^## \d\. /gm)).toHaveLength(5)
  expect(words(page)).toBeLessThanOrEqual(450)
  const lines = linesOf(page)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.length).toBeLessThanOrEqual(25)
})

// Promise: docs/errors
/** It has every code that can occur on a page or server, and no other. */
const errorsPage = read('docs/errors.md')

/** The members of a union of string literals, or the names of a table, as listed in the source. */
function membersOf(path: string, name: string): string[] {
  const [, union, table = ''] =
    new RegExp(`type ${name} =\\n((?:\\s+\\| '\\w+'\\n)+)|const ${name} = {\\n((?:  \\w+: .+\\n)+)}`).exec(
      read(path),
    ) ?? []
  const members = union?.matchAll(/'(\w+)'/g) ?? table.matchAll(/^ {2}(\w+):/gm)
  return [...members].map(([, name = '']) => name)
}

/** The entries in the code column below a heading. */
function rowsBelow(heading: string): string[] {
  const [section = ''] = errorsPage.split(heading).slice(1)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\|(?: \d{3} \|)? `(\w+)` \|/gm)].map(([, code = '']) => code)
}

test.each([
  ['## In the page', 'packages/loader/src/types/widget.ts', 'WidgetErrorCode'],
  ['## From the companion', 'packages/server/src/companion/answer.ts', 'refusals'],
])('%s: the codes are those of %s', (heading, path, name) => {
  const members = membersOf(path, name)
  expect(members.length).toBeGreaterThan(5)
  expect(rowsBelow(heading).sort()).toEqual(members.sort())
})

test('each code of a page has the anchor that an error in production links to', () => {
  const [anchors, codes] = [/<a id="(\w+)"><\/a>/g, /^\| `(\w+)` \| <a id="\1">/gm].map((pattern) =>
    [...errorsPage.matchAll(pattern)].map(([, name]) => name),
  )
  expect(anchors).toEqual(codes)
  expect(codes).toEqual(rowsBelow('## In the page'))
})

test('On your server: the classes are those of the package', () => {
  const classes = [...read('packages/server/src/errors.ts').matchAll(/export class (\w+)/g)].map(
    ([, name = '']) => name,
  )
  expect(rowsBelow('## On your server').sort()).toEqual(classes.sort())
})
