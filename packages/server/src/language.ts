/** Which language a shopper reads: of the purchase or the link, else of the browser. */
import { type DeclineActions, declineActions } from './declineActions.ts'
import { type Language, languages, type Words } from './words.ts'

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

export interface Spoken {
  lang: Language
  dir: 'ltr' | 'rtl'
  words: Words
  declineActions: DeclineActions
}

/** @param preferred BCP 47 tags, the best first; what is unknown is passed over. */
export function speak(preferred: readonly string[]): Spoken {
  const names = preferred.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '')
  const lang = names.find(isLanguage) ?? 'en'
  return {
    lang,
    dir: lang === 'ar' || lang === 'he' ? 'rtl' : 'ltr',
    words: languages[lang],
    declineActions: declineActions[lang],
  }
}

const MOST_LANGUAGES = 20

/** The languages of `Accept-Language`, the best first. */
export function preferredBy({ headers }: Request): string[] {
  const ranges = (headers.get('accept-language') ?? '').slice(0, 1_000).split(',').slice(0, MOST_LANGUAGES)
  return ranges
    .map((range) => {
      const [tag = '', quality = 'q=1'] = range.split(';').map((part) => part.trim())
      return { tag, weight: Number(quality.replace('q=', '')) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
