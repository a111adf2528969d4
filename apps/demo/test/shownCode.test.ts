// Promise: demo/code
/** The code that the pages show is code: every combination of choices compiles. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { modes, redirectPages } from '../web/choices.ts'
import { reactSnippet } from '../web/snippets.ts'

// In the demo, where the packages are found.
const folder = join(import.meta.dirname, '..', '.cache', 'shown')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every combination of mode, redirect page and place of the token compiles', () => {
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (const { value: mode } of modes)
    for (const { value: redirectPage } of redirectPages)
      for (const pageToken of [true, false]) {
        const file = join(folder, `${mode}-${redirectPage}-${pageToken}.tsx`)
        const sold = { mode, redirectPage, pageToken, productId: 'gold-100', name: '100 gold' }
        writeFileSync(file, reactSnippet(sold))
        files.push(file)
      }
  const options =
    '--ignoreConfig --noEmit --skipLibCheck --allowImportingTsExtensions --strict --target es2023 --module nodenext --types node --jsx react-jsx'
  const { stdout, status } = spawnSync('tsc', [...options.split(' '), ...files], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
