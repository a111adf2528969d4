/** Takes values out of text that came from outside, before it can reach an error or a log. */
import { fold, spellingsOf } from './fold.ts'

/** A word that no sentence needs: an e-mail address, a word of eight and more with a digit in it, or a very long one. */
const valueLike = /\S+@\S+|(?=\S{8})\S*\d\S*|\S{32,}/g

const LONGEST = 300
/** How much of a text is read. Values are looked for in twice as much, so that none is cut in two. */
const READ = 2_000
const MARK = '[redacted]'

/** Removes every given value, however it is spelt, and every word that looks like a value. */
export function redact(text: string, values: readonly string[]): string {
  const read = text.slice(0, 2 * READ)
  return without(read, rangesOf(read, values)).replace(valueLike, MARK).slice(0, LONGEST)
}

/** A part of a text, from its first character to the one after its last. */
type Range = readonly [from: number, to: number]

function rangesOf(text: string, values: readonly string[]): Range[] {
  const folded = fold(text)
  const found: Range[] = []
  for (const needle of values.flatMap(spellingsOf)) {
    let at = folded.text.indexOf(needle)
    for (; at >= 0; at = folded.text.indexOf(needle, at + needle.length)) {
      const range = folded.rangeOf(at, at + needle.length)
      if (needle.length >= SURE || isWord(text, range)) found.push(range)
    }
  }
  return found.sort((a, b) => a[0] - b[0])
}

/** A shorter value may be a part of an innocent word. */
const SURE = 6

const isWord = (text: string, [from, to]: Range): boolean =>
  !/[\p{L}\p{N}]/u.test((text[from - 1] ?? '') + (text[to] ?? ''))

function without(text: string, ranges: readonly Range[]): string {
  let clean = ''
  let at = 0
  for (const [from, to] of ranges) {
    if (from >= READ) break
    if (from >= at) clean += text.slice(at, from) + MARK
    at = Math.max(at, to)
  }
  return clean + text.slice(at, Math.max(at, READ))
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
