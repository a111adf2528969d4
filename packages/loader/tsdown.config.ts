import { defineConfig } from 'tsdown'

const browser = { platform: 'browser', target: 'es2022', minify: true } as const

/** With the sentences for developers: `#words` in package.json. */
const development = { inputOptions: { resolve: { conditionNames: ['development', 'import'] } } } as const

/** A classic script: one file, no exports. */
const scriptTag = (name: string, source: string, build: object = {}) =>
  ({
    ...browser,
    ...build,
    entry: { [name]: source },
    format: 'iife',
    dts: false,
    clean: false,
    // Nobody bundles it again, so that nobody reads what may be left out.
    outputOptions: { entryFileNames: '[name].js', comments: { annotation: false } },
  }) as const

const modules = {
  index: 'src/index.ts',
  url: 'src/entries/url.ts',
  return: 'src/entries/return.ts',
  element: 'src/entries/element.ts',
  elementReact: 'src/entries/elementReact.ts',
  elementVue: 'src/entries/elementVue.ts',
}

export default defineConfig([
  { ...browser, entry: modules, format: 'esm', dts: true },
  {
    ...browser,
    ...development,
    entry: modules,
    format: 'esm',
    dts: false,
    clean: false,
    outDir: 'dist/development',
  },
  // Both stages in one file.
  { ...browser, entry: { sync: 'src/entries/sync.ts' }, format: 'esm', dts: true, clean: false },
  {
    ...browser,
    ...development,
    entry: { sync: 'src/entries/sync.ts' },
    format: 'esm',
    dts: false,
    clean: false,
    outDir: 'dist/development',
  },
  scriptTag('purchase-widget', 'src/entries/scriptTag.ts'),
  scriptTag('purchase-widget.dev', 'src/entries/scriptTag.ts'),
  scriptTag('purchase-widget.rest', 'src/entries/scriptTagRest.ts'),
  scriptTag('purchase-widget.rest-dev', 'src/entries/scriptTagRest.ts', development),
  scriptTag('purchase-widget-return', 'src/entries/returnTag.ts'),
])
