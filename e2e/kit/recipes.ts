/**
 * Writes the recipes of docs/sandbox.md to a test file: they run verbatim, after the lines that the page shows before them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const prelude = `import { expect } from '@playwright/test'
import { test } from '@purchase-widget/sandbox/playwright'

test.use({ shop: { command: 'node shop.ts', cwd: ${JSON.stringify(import.meta.dirname)}, webhook: '/api/purchase-widget/webhook' } })
`

/** Returns the folder of the file. */
export function writeRecipes(): string {
  const [, part = ''] = /<!-- recipes -->(.*)<!-- \/recipes -->/s.exec(read('sandbox.md')) ?? []
  const recipes = [...part.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  if (recipes.length !== 5) throw new Error(`docs/sandbox.md has ${recipes.length} recipes, not five.`)
  // Under e2e, where the packages resolve.
  const folder = join(import.meta.dirname, '../.cache/recipes')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'recipes.spec.ts')
  const text = [prelude, ...recipes].join('\n')
  // Each worker evaluates the configuration while others read this file.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  return folder
}

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
