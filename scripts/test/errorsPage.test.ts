// Promise: docs/errors
/** docs/errors.md has every code that a page or a server can meet, and no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const page = read('docs/errors.md')

/** The members of a union of string literals, as its source lists them. */
function membersOf(path: string, type: string): string[] {
  const [, union = ''] = new RegExp(`type ${type} =\\n((?:\\s+\\| '\\w+'\\n)+)`).exec(read(path)) ?? []
  return [...union.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
}

/** What stands in the column of codes below a heading. */
function rowsBelow(heading: string): string[] {
  const [section = ''] = page.split(heading).slice(1)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\|(?: \d{3} \|)? `(\w+)` \|/gm)].map(([, code = '']) => code)
}

test.each([
  ['## In the page', 'packages/loader/src/types/widget.ts', 'WidgetErrorCode'],
  ['## From the companion', 'packages/server/src/companion/answer.ts', 'RefusalCode'],
])('%s: the codes are those of %s', (heading, path, type) => {
  const members = membersOf(path, type)
  expect(members.length).toBeGreaterThan(5)
  expect(rowsBelow(heading).sort()).toEqual(members.sort())
})

test('each code of a page has the anchor that an error in production links to', () => {
  const [anchors, codes] = [/<a id="(\w+)"><\/a>/g, /^\| `(\w+)` \| <a id="\1">/gm].map((pattern) =>
    [...page.matchAll(pattern)].map(([, name]) => name),
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
