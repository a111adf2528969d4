/** Text from outside, as a terminal or a log may show it. */

/** Control, format and line-separating characters, private ones and halves of a pair: they act on a terminal, or hide or reorder text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Every character that is not printable as JSON escapes it, so that JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
