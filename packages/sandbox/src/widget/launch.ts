/** What the merchant asked for when it opened this page. */
export interface Launch {
  accessToken: string | null
  /** The order fields of section 2.2 of the interface, and whatever else the address carries (U10). */
  params: Record<string, string>
  /** BCP 47 tag. The texts are English; the tag decides the direction of the page. */
  locale: string
}

/** Reads the address `/widget/?accessToken=…&product_id=…`. */
export function readLaunch(address: URL, browserLocale: string): Launch {
  const { accessToken, ...params } = Object.fromEntries(address.searchParams)
  return {
    accessToken: accessToken || null,
    params,
    locale: params.locale || params.lang || browserLocale,
  }
}

const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])
const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa'])

/** Which way a locale is written; a tag that is none is read as English. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    const { language, script } = new Intl.Locale(locale)
    const reversed = script ? rightToLeftScripts.has(script) : rightToLeft.has(language)
    return reversed ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
