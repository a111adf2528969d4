/** The language of this page: how it is chosen, and its sentences, dates and prices. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { languages, type Sentence, type Words } from './languages.ts'
import type { DeclineCode, Offer } from './protocol.ts'

export type Tag = keyof typeof languages

/** The language functions that the components use. */
export interface Language {
  tag: Tag
  direction: 'ltr' | 'rtl'
  words: Words
  /** Inserts values into a sentence; in a right-to-left sentence each value keeps its own direction. */
  fill: (sentence: string, values: Record<string, string | number>) => string
  /** Formats a date from the service as `12 December 2026`. */
  day: (iso: string) => string
}

/** Returns the first of these BCP 47 tags that the page supports, else English. */
export function chooseTag(wanted: readonly string[]): Tag {
  for (const tag of wanted) {
    const found = spoken(tag)
    if (found) return found
  }
  return 'en'
}

function spoken(tag: string): Tag | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    if (language === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
    if (language === 'pt') return 'pt-BR'
    return isTag(language) ? language : undefined
  } catch {
    return undefined // not a valid tag
  }
}

const isTag = (language: string): language is Tag => Object.hasOwn(languages, language)

export function createLanguage(tag: Tag): Language {
  const direction = tag === 'ar' || tag === 'he' ? 'rtl' : 'ltr'
  const isolate = (value: string): string => (direction === 'rtl' ? `\u2068${value}\u2069` : value)
  // British order for English; Latin digits everywhere, as in the amounts.
  const dates = new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    dateStyle: 'long',
    numberingSystem: 'latn',
  })
  return {
    tag,
    direction,
    words: languages[tag],
    fill: (sentence, values) =>
      sentence.replace(/\{(\w+)\}/g, (placeholder, name) =>
        Object.hasOwn(values, name) ? isolate(String(values[name])) : placeholder,
      ),
    day(iso) {
      const day = new Date(iso)
      return Number.isNaN(day.getTime()) ? iso : dates.format(day)
    },
  }
}

export const LanguageContext = createContext<Language>(createLanguage('en'))

export const useLanguage = (): Language => useContext(LanguageContext)

/** The reason for each decline, and the recommended action. */
export const declineSentences: Record<DeclineCode, { reason: Sentence; action: Sentence }> = {
  4000: { reason: 'notCharged', action: 'tryCardAgain' },
  4001: { reason: 'wrongCode', action: 'enterCodeAgain' },
  4002: { reason: 'declinedByIssuer', action: 'askIssuer' },
  4003: { reason: 'wrongCard', action: 'enterValidCard' },
  4004: { reason: 'lowBalance', action: 'addFunds' },
  4005: { reason: 'cardLimit', action: 'useOtherCard' },
  4010: { reason: 'declinedByIssuer', action: 'askIssuer' },
  4011: { reason: 'notValidated', action: 'useValidCard' },
  4012: { reason: 'declinedByIssuer', action: 'askIssuer' },
  4013: { reason: 'notCharged', action: 'askSupport' },
}

/** `9.99 EUR`: the service's decimal string, never rounded. The currency stays on the same line as the amount. */
export const priceOf = ({ quote, quote_amount }: Offer): string => `${quote_amount}\u00a0${quote}`

/** The payment interval of a subscription; empty for any other offer. */
export const intervalOf = (offer: Offer, words: Words): string =>
  offer.kind === 'subscription' ? words[offer.interval_time] : ''
