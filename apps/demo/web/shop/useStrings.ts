/** What the loader says in a language, once it is here; until then it says it in English. */
import type { WidgetStrings } from '@purchase-widget/loader'
import { useEffect, useState } from 'react'
import { type LanguageTag, stringsOf } from '../../languages.ts'

interface Loaded {
  locale: LanguageTag
  strings: WidgetStrings | undefined
}

/** Undefined for English, and while the file is on its way. */
export function useStrings(locale: LanguageTag): WidgetStrings | undefined {
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    let left = false
    stringsOf(locale).then(
      (strings) => {
        if (!left) setLoaded({ locale, strings })
      },
      () => {
        // Without the file the checkout is in English.
      },
    )
    return () => {
      left = true
    }
  }, [locale])
  return loaded?.locale === locale ? loaded.strings : undefined
}
