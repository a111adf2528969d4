/** The languages of this page: which one is spoken, and its sentences with their values filled in. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { words as english, type Words } from './locales/en.ts'

export type { Words }

/** The name of a sentence. */
export type Sentence = Exclude<keyof Words, 'declines'>

const languages = {
  ar: () => import('./locales/ar.ts'),
  bg: () => import('./locales/bg.ts'),
  cs: () => import('./locales/cs.ts'),
  da: () => import('./locales/da.ts'),
  de: () => import('./locales/de.ts'),
  el: () => import('./locales/el.ts'),
  en: async () => ({ words: english }),
  es: () => import('./locales/es.ts'),
  fi: () => import('./locales/fi.ts'),
  fr: () => import('./locales/fr.ts'),
  he: () => import('./locales/he.ts'),
  hi: () => import('./locales/hi.ts'),
  hu: () => import('./locales/hu.ts'),
  id: () => import('./locales/id.ts'),
  it: () => import('./locales/it.ts'),
  ja: () => import('./locales/ja.ts'),
  ko: () => import('./locales/ko.ts'),
  nl: () => import('./locales/nl.ts'),
  pl: () => import('./locales/pl.ts'),
  'pt-BR': () => import('./locales/pt-BR.ts'),
  ro: () => import('./locales/ro.ts'),
  ru: () => import('./locales/ru.ts'),
  sv: () => import('./locales/sv.ts'),
  th: () => import('./locales/th.ts'),
  tr: () => import('./locales/tr.ts'),
  uk: () => import('./locales/uk.ts'),
  vi: () => import('./locales/vi.ts'),
  'zh-CN': () => import('./locales/zh-CN.ts'),
  'zh-TW': () => import('./locales/zh-TW.ts'),
} satisfies Record<string, () => Promise<{ words: Words }>>

export type Tag = keyof typeof languages

export const tags: readonly string[] = Object.keys(languages)

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
export function chooseTag(wanted: readonly string[]): Tag {
  for (const tag of wanted) {
    const found = spoken(tag)
    if (found) return found
  }
  return 'en'
}

function spoken(tag: string): Tag | undefined {
  if (!isLocale(tag)) return undefined
  const { language, script } = new Intl.Locale(tag).maximize()
  if (language === 'zh') return script === 'Hant' ? 'zh-TW' : 'zh-CN'
  if (language === 'pt') return 'pt-BR'
  return isTag(language) ? language : undefined
}

const isTag = (tag: string): tag is Tag => Object.hasOwn(languages, tag)

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}

export async function loadLanguage(tag: Tag): Promise<Language> {
  // A page whose chunk can't be loaded still sells, in English.
  const { words } = await languages[tag]().catch(() => ({ words: english }))
  return createLanguage(words === english ? 'en' : tag, words)
}

function createLanguage(tag: Tag, words: Words): Language {
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
