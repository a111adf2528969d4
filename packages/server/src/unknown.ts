/** Inspects values of unknown type: external text, and arguments from plain JavaScript. */

/** The result of a function; undefined if it throws. */
export function unlessThrows<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Returns undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => unlessThrows(() => JSON.parse(text))

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Text that is not blank. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** An object that is not an array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value)

/** The first of its names that is none of the known ones, such as a misspelt option. */
export const unknownName = (value: object, known: object): string | undefined =>
  Object.keys(value).find((name) => !Object.hasOwn(known, name))

/** Whether the value has functions with these names. */
export const canDo = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'function')

/** Control, format, line-separator and private-use characters, and lone surrogates: they act on a terminal, or hide or reorder text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text that is safe for a terminal or a log: unprintable characters are escaped as in JSON, so that JSON text keeps its meaning. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
