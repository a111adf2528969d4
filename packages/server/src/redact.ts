/** Takes values out of text that came from outside, before it can reach an error or a log. */

const email = /[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g

/** Removes every given value, written plainly or percent-encoded, and anything that looks like an e-mail address. */
export function redact(text: string, values: readonly string[]): string {
  let clean = text
  for (const value of values) {
    if (value.length < 3) continue
    clean = clean.replaceAll(value, '[redacted]').replaceAll(encodeURIComponent(value), '[redacted]')
  }
  return clean.replace(email, '[redacted]').slice(0, 300)
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
