/** The languages of the checkout: each by its own name, and the file with what the loader says in it. */
import type { WidgetStrings } from '@purchase-widget/loader'

type Load = () => Promise<{ strings: WidgetStrings }>

interface Language {
  name: string
  /** English is built in. */
  load?: Load
}

export const languages = {
  ar: { name: 'العربية', load: () => import('@purchase-widget/loader/locales/ar') },
  bg: { name: 'Български', load: () => import('@purchase-widget/loader/locales/bg') },
  cs: { name: 'Čeština', load: () => import('@purchase-widget/loader/locales/cs') },
  da: { name: 'Dansk', load: () => import('@purchase-widget/loader/locales/da') },
  de: { name: 'Deutsch', load: () => import('@purchase-widget/loader/locales/de') },
  el: { name: 'Ελληνικά', load: () => import('@purchase-widget/loader/locales/el') },
  en: { name: 'English' },
  es: { name: 'Español', load: () => import('@purchase-widget/loader/locales/es') },
  fi: { name: 'Suomi', load: () => import('@purchase-widget/loader/locales/fi') },
  fr: { name: 'Français', load: () => import('@purchase-widget/loader/locales/fr') },
  he: { name: 'עברית', load: () => import('@purchase-widget/loader/locales/he') },
  hi: { name: 'हिन्दी', load: () => import('@purchase-widget/loader/locales/hi') },
  hu: { name: 'Magyar', load: () => import('@purchase-widget/loader/locales/hu') },
  id: { name: 'Bahasa Indonesia', load: () => import('@purchase-widget/loader/locales/id') },
  it: { name: 'Italiano', load: () => import('@purchase-widget/loader/locales/it') },
  ja: { name: '日本語', load: () => import('@purchase-widget/loader/locales/ja') },
  ko: { name: '한국어', load: () => import('@purchase-widget/loader/locales/ko') },
  nl: { name: 'Nederlands', load: () => import('@purchase-widget/loader/locales/nl') },
  pl: { name: 'Polski', load: () => import('@purchase-widget/loader/locales/pl') },
  'pt-BR': { name: 'Português (Brasil)', load: () => import('@purchase-widget/loader/locales/pt-BR') },
  ro: { name: 'Română', load: () => import('@purchase-widget/loader/locales/ro') },
  ru: { name: 'Русский', load: () => import('@purchase-widget/loader/locales/ru') },
  sv: { name: 'Svenska', load: () => import('@purchase-widget/loader/locales/sv') },
  th: { name: 'ไทย', load: () => import('@purchase-widget/loader/locales/th') },
  tr: { name: 'Türkçe', load: () => import('@purchase-widget/loader/locales/tr') },
  uk: { name: 'Українська', load: () => import('@purchase-widget/loader/locales/uk') },
  vi: { name: 'Tiếng Việt', load: () => import('@purchase-widget/loader/locales/vi') },
  'zh-CN': { name: '简体中文', load: () => import('@purchase-widget/loader/locales/zh-CN') },
  'zh-TW': { name: '繁體中文', load: () => import('@purchase-widget/loader/locales/zh-TW') },
} satisfies Record<string, Language>

export type LanguageTag = keyof typeof languages

export const isLanguage = (tag: string | null): tag is LanguageTag =>
  tag !== null && Object.hasOwn(languages, tag)

/** Undefined for English. Rejects where the file cannot be read. */
export async function stringsOf(tag: LanguageTag): Promise<WidgetStrings | undefined> {
  const language: Language = languages[tag]
  return (await language.load?.())?.strings
}
