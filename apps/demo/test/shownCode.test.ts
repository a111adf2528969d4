/** The code that the product page shows is code: every combination of choices compiles. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../catalogue.ts'
import { modes, readChoices, redirectPages, tokenPlaces } from '../web/purchase/choices.ts'
import { htmlSnippet, reactSnippet } from '../web/shop/snippets.ts'

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

test('every combination of product, mode, redirect page, place of the token and language compiles', () => {
  for (const { id: productId, name } of catalogue) {
    for (const { value: mode } of modes) {
      for (const { value: redirectPage } of redirectPages) {
        for (const { value: token } of tokenPlaces) {
          for (const locale of ['en', 'pt-BR'] as const) {
            const code = reactSnippet({ mode, redirectPage, token, locale, productId, name })
            writeFileSync(join(folder, `${productId}-${mode}-${redirectPage}-${token}-${locale}.tsx`), code)
          }
        }
      }
    }
  }
  const { stdout, status } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})

test('the script tag’s page has its code before any script has come', () => {
  const html = readFileSync(join(import.meta.dirname, '..', 'plain.html'), 'utf8')
  const shown = /<code id="code">(.*?)<\/code>/s
    .exec(html)?.[1]
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  const choices = readChoices(new URLSearchParams())
  expect(shown).toBe(htmlSnippet({ ...choices, productId: 'gold-100', name: '100 gold' }))
})
