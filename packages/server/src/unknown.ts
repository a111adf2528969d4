/** Looks at values of which nothing is known: text from outside, and what plain JavaScript passes. */

/** Undefined for what is no JSON. */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** An object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value)

/** Whether it has functions of these names. */
export const canDo = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'function')

/** Control, format and line-separating characters, private ones and halves of a pair: they act on a terminal, or hide or reorder text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text as a terminal or a log may show it: each other character as JSON escapes it, so that JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
