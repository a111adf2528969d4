/** Chooses the language for a shopper: that of the purchase or the link, else of the browser. */
import { parseAccept } from 'hono/utils/accept'
import { type Language, languages } from './languages.ts'

export interface Spoken extends Language {
  lang: string
  dir: 'ltr' | 'rtl'
}

/** Languages whose file has another name. `iw` and `in` are former tags of Hebrew and Indonesian, which old systems still send. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['pt', 'pt-BR'],
  ['zh', 'zh-CN'],
  ['iw', 'he'],
  ['in', 'id'],
])

/** Tags of readers of traditional characters. A script in the tag counts before the region: `zh-Hans-HK` is simplified. */
const traditional = /^zh-(hant|tw|hk|mo)(-|$)/

/** Undefined if that language has no translation. */
function tagFor(wanted: string): string | undefined {
  const name = wanted.toLowerCase().replaceAll('_', '-')
  if (traditional.test(name)) return 'zh-TW'
  const [language = ''] = name.split('-')
  return Object.hasOwn(languages, language) ? language : otherNames.get(language)
}

/** @param preferred BCP 47 tags, best first; unknown ones are skipped. */
export function speak(preferred: readonly string[]): Spoken {
  const lang = preferred.map(tagFor).find((tag) => tag !== undefined) ?? 'en'
  return { lang, dir: lang === 'ar' || lang === 'he' ? 'rtl' : 'ltr', ...(languages[lang] ?? languages.en) }
}

/** The languages of `Accept-Language`, best first. */
export const preferredBy = ({ headers }: Request): string[] =>
  parseAccept(headers.get('accept-language') ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type)
