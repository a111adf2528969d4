/** The sentences of the companion for shoppers, by BCP 47 tag: one table for all languages. */
import table from './languages.json' with { type: 'json' }

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

export type Tag = keyof typeof table

export const languages: Readonly<Record<Tag, Language>> = table
