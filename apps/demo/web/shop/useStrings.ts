/** What the loader says in a language: a file of its own, which is read when it is chosen. */
import type { WidgetStrings } from '@purchase-widget/loader'
import { useEffect, useState } from 'react'
import { type LanguageTag, stringsOf } from '../../languages.ts'

interface Loaded {
  locale: LanguageTag
  /** Undefined for English, which is built in, and where the file could not be read. */
  strings: WidgetStrings | undefined
}

export function useStrings(locale: LanguageTag): { strings: WidgetStrings | undefined; loading: boolean } {
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    let left = false
    const keep = (strings?: WidgetStrings): void => {
      if (!left) setLoaded({ locale, strings })
    }
    stringsOf(locale).then(keep, () => keep())
    return () => {
      left = true
    }
  }, [locale])
  const known = loaded?.locale === locale ? loaded : undefined
  return { strings: known?.strings, loading: !known && locale !== 'en' }
}
