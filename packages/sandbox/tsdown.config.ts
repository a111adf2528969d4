import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    cli: 'src/cli.ts',
    testing: 'src/testing/index.ts',
    vitest: 'src/testing/vitest.ts',
    playwright: 'src/testing/playwright.ts',
  },
  dts: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  copy: ['src/service/docs/docs.css'],
})
