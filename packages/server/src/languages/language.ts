/** What the companion says to shoppers in one language. */

export interface Words {
  /** On the return page, whatever happens there. */
  readonly returning: string
  readonly signIn: string
  /** For a link that has expired, or never was valid. */
  readonly ended: string
  readonly tooMany: string
  /** While the service is away. */
  readonly away: string
  readonly failed: string
  /** The label of a button. */
  readonly tryAgain: string
}

export interface Language {
  readonly words: Words
  /** What a shopper can do about a declined card, by the codes of section 7 of the interface. */
  readonly declineActions: Readonly<Record<string, string>>
}

/** The BCP 47 tags of the table. */
export type Tag =
  | 'ar'
  | 'bg'
  | 'cs'
  | 'da'
  | 'de'
  | 'el'
  | 'en'
  | 'es'
  | 'fi'
  | 'fr'
  | 'he'
  | 'hi'
  | 'hu'
  | 'id'
  | 'it'
  | 'ja'
  | 'ko'
  | 'nl'
  | 'pl'
  | 'pt-BR'
  | 'ro'
  | 'ru'
  | 'sv'
  | 'th'
  | 'tr'
  | 'uk'
  | 'vi'
  | 'zh-CN'
  | 'zh-TW'
