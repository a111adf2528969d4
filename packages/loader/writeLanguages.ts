/**
 * Writes each language of src/languages.ts to a file of its own, so that a page loads no other: dist/locales/<language>.js, a module; and
 * dist/purchase-widget.<language>.js, a classic script that registers the texts for the script tag, whichever of the two comes first.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from './src/languages.ts'

const dist = join(import.meta.dirname, 'dist')

/** Other tags of a language; the script tag falls back to the part before the first hyphen. */
const aliases: Record<string, readonly string[]> = {
  'pt-BR': ['pt'],
  'zh-CN': ['zh'],
  'zh-TW': ['zh-HK', 'zh-MO', 'zh-Hant', 'zh-Hant-TW', 'zh-Hant-HK', 'zh-Hant-MO'],
}

/** A page may read a script in another encoding. */
const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const types = `import type { WidgetStrings } from '../index.js'\nexport declare const strings: WidgetStrings\n`

mkdirSync(join(dist, 'locales'), { recursive: true })
for (const [language, strings] of Object.entries(languages)) {
  const json = ascii(JSON.stringify(strings))
  writeFileSync(join(dist, `locales/${language}.js`), `export const strings = ${json}\n`)
  writeFileSync(join(dist, `locales/${language}.d.ts`), types)
  // The loader's scripts have English in them.
  if (language === 'en') continue
  // The global may be hidden by an element of that name, which is never the window's own property.
  const tags = [language, ...(aliases[language] ?? [])].map((tag) => `'${tag.toLowerCase()}':s`)
  const script =
    "{let w=window,p=Object.hasOwn(w,'PurchaseWidget')&&w.PurchaseWidget||(w.PurchaseWidget={})" +
    `,s=${json};p.strings={...p.strings,${tags.join()}}}\n`
  writeFileSync(join(dist, `purchase-widget.${language}.js`), script)
}
