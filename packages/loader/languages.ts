/**
 * Writes dist/purchase-widget.<language>.js for every language beside English: a classic script that registers its texts for the script
 * tag, whichever of the two comes first. ASCII only, since a page may read it in another encoding.
 */
import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const locales = join(import.meta.dirname, 'src/locales')

/** Other tags of a language; the script falls back to the part before the first hyphen. */
const aliases: Record<string, readonly string[]> = {
  'pt-BR': ['pt'],
  'zh-CN': ['zh'],
  'zh-TW': ['zh-HK', 'zh-MO', 'zh-Hant', 'zh-Hant-TW', 'zh-Hant-HK', 'zh-Hant-MO'],
}

const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

for (const file of globSync('*.ts', { cwd: locales })) {
  const language = basename(file, '.ts')
  if (language === 'en') continue
  const { strings } = await import(join(locales, file))
  // The global may be hidden by an element of that name, which is never the window's own property.
  const tags = [language, ...(aliases[language] ?? [])].map((tag) => `'${tag.toLowerCase()}':s`)
  const script =
    "{let w=window,p=Object.hasOwn(w,'PurchaseWidget')&&w.PurchaseWidget||(w.PurchaseWidget={})" +
    `,s=${ascii(JSON.stringify(strings))};p.strings={...p.strings,${tags.join()}}}\n`
  writeFileSync(join(import.meta.dirname, `dist/purchase-widget.${language}.js`), script)
}
