/** What the build writes where an answer's nonce belongs; the server puts it there. */
export const noncePlaceholder = '__NONCE__'
