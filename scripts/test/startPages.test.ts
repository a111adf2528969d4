// Promise: docs/start-pages
/** A start page is short enough to be followed in one go: five steps, 450 words, 25 lines of code. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const pages = globSync('docs/start-*.md', { cwd: root })

/** The lines that the reader writes: neither empty nor a comment. */
const linesOf = (page: string): string[] =>
  [...page.matchAll(/^```(?:tsx?|html|json)\n([\s\S]*?)^```$/gm)]
    .flatMap(([, code = '']) => code.split('\n'))
    .filter((line) => !/^\s*(\/\/|$)/.test(line))

test('there is a start page for each of five stacks', () => {
  expect(pages).toHaveLength(5)
})

test.each(pages)('%s has five steps, at most 450 words and at most 25 lines of code', (file) => {
  const page = readFileSync(join(root, file), 'utf8')
  expect(page.match(/^## \d\. /gm)).toHaveLength(5)
  expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(450)
  const lines = linesOf(page)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.length).toBeLessThanOrEqual(25)
})
