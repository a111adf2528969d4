// Promise: script/element
/** What bundlers may not drop: the files that register the element, under every condition of the published package. */
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'

const { sideEffects, publishConfig } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { sideEffects: string[]; publishConfig: { exports: Record<string, Record<string, string>> } }

const files = Object.entries(publishConfig.exports)
  .filter(([name]) => name.startsWith('./element'))
  .flatMap(([, conditions]) => Object.values(conditions).filter((file) => file.endsWith('.js')))

test.each(files)('%s registers the element, and no bundler drops its import', (file) => {
  expect(sideEffects.some((pattern) => matchesGlob(file, pattern))).toBe(true)
})

test('the element has a development and a production build for each framework', () => {
  expect(files).toHaveLength(6)
})
