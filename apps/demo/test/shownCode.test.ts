/** The code that the product page shows is code: every combination of choices compiles. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue, paramsOf } from '../catalogue.ts'
import { modes, redirectPages } from '../web/purchase/choices.ts'
import { reactSnippet, serverSnippet } from '../web/shop/snippets.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'shown')

/** What the reader of the server's code brings along. */
const readersOwn = `
declare const app: import('hono').Hono
declare function shopperOf(request: Request): Promise<{ customId: string } | null>
declare const redis: Parameters<typeof import('@purchase-widget/server/redis').redisStore>[0]
declare function deliverOnce(orderId: string, type: string): Promise<void>
`

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

test('every combination of product, mode and redirect page compiles', () => {
  for (const product of catalogue) {
    for (const { value: mode } of modes) {
      for (const { value: redirectPage } of redirectPages) {
        const code = reactSnippet({ mode, redirectPage, params: paramsOf(product), name: product.name })
        writeFileSync(join(folder, `${product.id}-${mode}-${redirectPage}.tsx`), code)
      }
    }
  }
  writeFileSync(join(folder, 'server.ts'), readersOwn + serverSnippet())
  const { stdout, status } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
