/** What may be kept of an error that other code threw. Messages and stacks of fetch, URL and JSON failures quote addresses and bodies. */

/** An error with the name and the code of another, or of its cause. */
export function safeCause(error: unknown): Error {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const name = inner instanceof Error ? inner.name : typeof inner
  const code = codeOf(inner)
  const cause = new Error(code ? `${name} (${code})` : name)
  delete cause.stack
  return cause
}

/** The system's or the library's code of an error, e.g. `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[A-Z0-9_]{2,40}$/.test(error.code) ? error.code : undefined
}

/** A word that no sentence needs: an e-mail address, a word of eight and more with a digit in it, or a very long one. */
const valueLike = /\S+@\S+|(?=\S{8})\S*\d\S*|\S{32,}/g

/** The beginning of what the merchant's own code said, without words that look like a value. */
export const withoutValues = (text: string): string =>
  text.slice(0, 2_000).replace(valueLike, '[redacted]').slice(0, 300)
