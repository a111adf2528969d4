// Promise: demo/code
/** The code that the pages show is code: every combination of choices compiles. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modes, redirectPages } from '../web/choices.ts'
import { reactSnippet } from '../web/snippets.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'shown')

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      compilerOptions: {
        composite: false,
        noEmit: true,
        isolatedDeclarations: false,
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        jsx: 'react-jsx',
      },
      include: ['.'],
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every combination of mode, redirect page and place of the token compiles', () => {
  for (const { value: mode } of modes)
    for (const { value: redirectPage } of redirectPages)
      for (const pageToken of [true, false]) {
        const code = reactSnippet({ mode, redirectPage, pageToken, productId: 'gold-100', name: '100 gold' })
        writeFileSync(join(folder, `${mode}-${redirectPage}-${pageToken}.tsx`), code)
      }
  const { stdout, status } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
