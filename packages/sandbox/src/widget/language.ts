/** The languages of this page: which one is spoken, and its sentences, dates and prices. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { words as english, type Words } from './locales/en.ts'
import type { Offer } from './protocol.ts'

export type { Words }

/** The name of a sentence. */
export type Sentence = Exclude<keyof Words, 'declines'>

/** English is part of the page; each of the others is loaded where it is spoken. */
const others = import.meta.glob<{ words: Words }>(['./locales/*.ts', '!./locales/en.ts'])

const fileOf = (tag: string): string => `./locales/${tag}.ts`

export const tags: readonly string[] = [
  'en',
  ...Object.keys(others).map((file) => file.slice('./locales/'.length, -'.ts'.length)),
]

/** What the components write with. */
export interface Language {
  tag: string
  direction: 'ltr' | 'rtl'
  words: Words
  /** Puts values into a sentence; in a right-to-left one each keeps its own direction. */
  fill: (sentence: string, values: Record<string, string | number>) => string
  /** `12 December 2026`, for a date as the service writes it. */
  day: (iso: string) => string
}

/** The first of these BCP 47 tags that the page speaks, else English. */
export function chooseTag(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = spoken(tag)
    if (found) return found
  }
  return 'en'
}

function spoken(tag: string): string | undefined {
  if (!isLocale(tag)) return undefined
  const { language, script } = new Intl.Locale(tag).maximize()
  if (language === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  if (language === 'pt') return 'pt-BR'
  return tags.includes(language) ? language : undefined
}

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}

export async function loadLanguage(tag: string): Promise<Language> {
  // A page whose chunk can't be loaded still sells, in English.
  const other = await others[fileOf(tag)]?.().catch(() => null)
  return other ? createLanguage(tag, other.words) : createLanguage('en', english)
}

function createLanguage(tag: string, words: Words): Language {
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
    words,
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

export const LanguageContext = createContext<Language>(createLanguage('en', english))

export const useLanguage = (): Language => useContext(LanguageContext)

/** `9.99 EUR`, as the service writes amounts: decimal strings, never rounded. The currency stays on the amount's line. */
export const priceOf = ({ quote, quote_amount }: Offer): string => `${quote_amount}\u00a0${quote}`

/** How often a subscription is paid; empty for anything else. */
export const intervalOf = (offer: Offer, words: Words): string =>
  offer.kind === 'subscription' ? words[offer.interval_time] : ''
