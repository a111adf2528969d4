import { defineConfig, type Rolldown } from 'tsdown'

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

/** A browser may ask only once under one address: the second stage gets a copy under another (src/stage.ts). */
const copyOfSecondStage: Rolldown.Plugin = {
  name: 'copy of the second stage',
  generateBundle(_, bundle) {
    const chunkOf = (source: string) =>
      Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(source))
    const [rest, again] = [chunkOf('/src/rest.ts'), chunkOf('/src/restAgain.ts')]
    if (rest?.type === 'chunk' && again?.type === 'chunk') again.code = rest.code
  },
}

const modules = {
  index: 'src/index.ts',
  url: 'src/entries/url.ts',
  return: 'src/entries/return.ts',
  element: 'src/entries/element.ts',
  elementReact: 'src/entries/elementReact.ts',
  elementVue: 'src/entries/elementVue.ts',
}

export default defineConfig([
  { ...browser, entry: modules, format: 'esm', dts: true, plugins: [copyOfSecondStage] },
  {
    ...browser,
    ...development,
    entry: modules,
    plugins: [copyOfSecondStage],
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
])
