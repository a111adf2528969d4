import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'tsdown'
import { languages } from '../loader/src/languages.ts'

/** The loader's scripts and its language files, as text by file name. */
function scriptTexts(): Record<string, string> {
  const dist = join(import.meta.dirname, '../loader/dist')
  const names = Object.keys(languages)
    .filter((language) => language !== 'en')
    .map((language) => `purchase-widget.${language}.js`)
  const second = globSync('purchase-widget.rest*.????????????.js', { cwd: dist })
  return Object.fromEntries(
    ['purchase-widget.js', 'purchase-widget.dev.js', ...second.sort(), ...names.sort()].map((name) => [
      name,
      readFileSync(join(dist, name), 'utf8'),
    ]),
  )
}

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    sqlite: 'src/stores/sqlite.ts',
    postgres: 'src/stores/postgres.ts',
    testing: 'testing/index.ts',
    cli: 'src/cli/main.ts',
    'never-in-the-browser': 'src/never-in-the-browser.ts',
  },
  platform: 'node',
  target: 'node22',
  dts: true,
  fixedExtension: false,
  plugins: [
    {
      // The companion serves them, so that a page's script and its server are of one version.
      name: 'texts of the scripts',
      load(id) {
        if (!id.endsWith('/companion/scriptText.ts')) return null
        return `const texts = new Map(Object.entries(${JSON.stringify(scriptTexts())}))
          export const readScriptText = async (name) => texts.get(name)`
      },
    },
  ],
})
