/** How the loader's own sentences look: their words and language, and the colour scheme. */
import { english } from './english.ts'
import { pageOf } from './names.ts'
import { own } from './own.ts'
import type { Settings } from './settings.ts'
import type { WidgetBehaviour } from './types.ts'

export type Look = Pick<Settings, 'strings' | 'lang' | 'theme'>

export function lookOf({
  title,
  locale,
  strings,
  theme = 'system',
}: Pick<WidgetBehaviour, 'title' | 'locale' | 'strings' | 'theme'>): Look {
  const lang = globalThis.document && pageOf().documentElement.lang
  return {
    theme,
    strings: own({ ...english, ...(title && { title }), ...strings }),
    // English text is never shown as another language.
    lang: (strings && (locale || lang)) || 'en',
  }
}
