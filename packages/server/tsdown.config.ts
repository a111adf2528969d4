import { readFileSync } from 'node:fs'
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
  plugins: [
    {
      // The companion serves it, so that a page's script and its server are of one version.
      name: 'text of the script',
      load(id) {
        if (!id.endsWith('/companion/scriptText.ts')) return null
        const text = readFileSync('../loader/dist/purchase-widget.js', 'utf8')
        return `export const readScriptText = async () => ${JSON.stringify(text)}`
      },
    },
  ],
})
