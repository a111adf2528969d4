/** Takes values out of text that came from outside, before it can reach an error or a log. */

/** A word that no sentence needs: an e-mail address, a word of eight and more with a digit in it, or a very long one. */
const valueLike = /\S+@\S+|(?=\S{8})\S*\d\S*|\S{32,}/g

const LONGEST = 300

/** Removes every given value, written plainly or percent-encoded, and every word that looks like a value. */
export function redact(text: string, values: readonly string[]): string {
  let clean = text.slice(0, 2_000)
  for (const value of values) {
    if (value.length < 3) continue
    clean = clean.replaceAll(value, '[redacted]').replaceAll(encodeURIComponent(value), '[redacted]')
  }
  return clean.replace(valueLike, '[redacted]').slice(0, LONGEST)
}

/**
 * What may be kept of an error that another library threw: its name and code. Messages and stacks of fetch, URL and
 * JSON failures quote addresses and bodies.
 */
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
