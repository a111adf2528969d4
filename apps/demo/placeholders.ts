/** What the build writes where an answer's own values belong; the server puts them there. */
export const placeholders = {
  nonce: '__NONCE__',
  /** Says what the shop sells through: HTML. */
  service: '__SERVICE__',
} as const
