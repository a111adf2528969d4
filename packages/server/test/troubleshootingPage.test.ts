// Promise: companion/mistakes
/** docs/errors.md has every sentence that the companion and the doctor say about a mistake, and no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mistakes } from '../src/mistakes/table.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs/errors.md'), 'utf8')

test('the table of the page has the mistakes that the server package knows, word for word', () => {
  const [, section = ''] = page.split('## What the companion and the doctor say')
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.slice(2)).toEqual(Object.values(mistakes).map(({ seen, remedy }) => `| ${seen} | ${remedy} |`))
})
