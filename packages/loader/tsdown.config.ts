import { defineConfig } from 'tsdown'

export default defineConfig([
  {
    entry: { index: 'src/index.ts', return: 'src/return.ts', element: 'src/element.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    dts: true,
  },
  {
    entry: { 'purchase-widget': 'src/scriptTag.ts' },
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    dts: false,
    clean: false,
    outputOptions: { entryFileNames: '[name].js' },
  },
])
