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
    outputOptions: { entryFileNames: '[name].js' },
  }) as const

export default defineConfig([
  {
    ...browser,
    entry: { index: 'src/index.ts', return: 'src/return.ts', element: 'src/element.ts' },
    format: 'esm',
    dts: true,
  },
  scriptTag('purchase-widget', 'src/scriptTag.ts'),
  scriptTag('purchase-widget-return', 'src/returnTag.ts'),
  scriptTag('stub', 'src/stub.ts'),
])
