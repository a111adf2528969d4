import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    redis: 'src/stores/redis.ts',
    sqlite: 'src/stores/sqlite.ts',
    postgres: 'src/stores/postgres.ts',
    testing: 'src/testing.ts',
    cli: 'src/cli/main.ts',
    'never-in-the-browser': 'src/never-in-the-browser.ts',
  },
  platform: 'node',
  target: 'node22',
  dts: true,
  fixedExtension: false,
  // The companion serves it, so that a page's script and its server are of one version.
  copy: ['../loader/dist/purchase-widget.js'],
})
