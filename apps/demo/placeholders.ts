/** What the build writes where an answer's own values belong; the server puts them there. */
export const placeholders = {
  nonce: '__NONCE__',
  /** Says what the shop sells through, and links to what belongs to it: HTML. */
  about: '__ABOUT__',
  /** The page as the server draws it: HTML. */
  drawing: '__DRAWING__',
} as const
