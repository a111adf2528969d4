import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts', 'src/vitest.ts', 'src/playwright.ts'],
  dts: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  copy: ['src/docs/docs.css'],
})
