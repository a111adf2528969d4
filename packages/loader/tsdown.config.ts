import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig } from 'tsdown'

const browser = { platform: 'browser', target: 'es2022', minify: true } as const

/** A classic script: one file, no exports. */
const scriptTag = (name: string, source: string) =>
  ({
    ...browser,
    entry: { [name]: source },
    format: 'iife',
    dts: false,
    clean: false,
    // Nobody bundles it again, so that nobody reads what may be left out.
    outputOptions: { entryFileNames: '[name].js', comments: { annotation: false } },
  }) as const

const locales = Object.fromEntries(
  globSync('src/locales/*.ts', { cwd: import.meta.dirname }).map((file) => [
    `locales/${basename(file, '.ts')}`,
    file,
  ]),
)

export default defineConfig([
  {
    ...browser,
    entry: {
      index: 'src/index.ts',
      url: 'src/entries/url.ts',
      return: 'src/entries/return.ts',
      element: 'src/entries/element.ts',
      elementReact: 'src/entries/elementReact.ts',
      elementVue: 'src/entries/elementVue.ts',
      ...locales,
    },
    format: 'esm',
    dts: true,
  },
  scriptTag('purchase-widget', 'src/entries/scriptTag.ts'),
  scriptTag('purchase-widget-return', 'src/entries/returnTag.ts'),
  scriptTag('stub', 'src/entries/stub.ts'),
])
