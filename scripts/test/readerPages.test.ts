// Promise: docs/size
/** What a reader has to read: how many pages and words, and of a start page how many steps and lines of code. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
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

/** The lines that the reader writes: neither empty nor a comment. */
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
