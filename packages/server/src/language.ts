/** Chooses the language for a shopper: that of the purchase or the link, else of the browser. */
import { parseAccept } from 'hono/utils/accept'
import { type Language, languages } from './languages.ts'
import { unlessThrows } from './unknown.ts'

export interface Spoken extends Language {
  lang: string
  dir: 'ltr' | 'rtl'
}

/** Undefined for a language that has no translation, and for anything but a tag. */
function tagFor(wanted: string): string | undefined {
  // Also replaces former tags, such as `iw` for Hebrew, and adds the script that a region's readers use, unless the tag has one.
  const locale = unlessThrows(() => new Intl.Locale(wanted.replaceAll('_', '-')).maximize())
  if (!locale) return undefined
  const { language, script } = locale
  if (language === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  if (language === 'pt') return 'pt-BR'
  return Object.hasOwn(languages, language) ? language : undefined
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
