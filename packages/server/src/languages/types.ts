/** What the file of a language has. */

export interface Words {
  /** On the return page, whatever happens there. */
  readonly returning: string
  readonly signIn: string
  /** For a link that is over, or never was right. */
  readonly ended: string
  readonly tooMany: string
  /** While the service is away. */
  readonly away: string
  readonly failed: string
  /** A button's. */
  readonly tryAgain: string
}

export interface Language {
  readonly words: Words
  /** What a shopper can do about a declined card, by the codes of section 7 of the interface: the same texts as the loader's. */
  readonly declineActions: Readonly<Record<string, string>>
}
