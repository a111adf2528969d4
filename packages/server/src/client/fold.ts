/** Compares texts without regard to case, escapes, spaces, signs and accents. */

/** One character, plainly or escaped: `%41`, also encoded several times, `\u0041`, `\x41`, `&#65;`, `&#x41;`. */
const character =
  /%(?:25)*([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*([0-9]{2,3});|./gisu

export interface Folded {
  /** Letters and digits alone. */
  text: string
  /** Where a part of it stands in the text as it was. */
  rangeOf(from: number, to: number): readonly [number, number]
}

export function fold(text: string): Folded {
  let folded = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const match of text.matchAll(character)) {
    const [whole, percent, short, byte, hexEntity, decimalEntity] = match
    const hex = percent ?? short ?? byte ?? hexEntity
    const code = hex === undefined ? Number(decimalEntity ?? Number.NaN) : Number.parseInt(hex, 16)
    for (const letter of lettersOf(Number.isNaN(code) ? whole : String.fromCharCode(code))) {
      folded += letter
      starts.push(match.index)
      ends.push(match.index + whole.length)
    }
  }
  return { text: folded, rangeOf: (from, to) => [starts[from] ?? 0, ends[to - 1] ?? text.length] }
}

/** Of an escaped character beyond ASCII only bytes are seen, so that such characters are left out on both sides. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** As much of a value as is looked for. */
const LONGEST_VALUE = 256
const SHORTEST = 3

/** How a value may appear in a folded text: as it is, in hexadecimal, and in base64 wherever it begins. */
export function spellingsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value.slice(0, LONGEST_VALUE))
  const plain = lettersOf(value.slice(0, LONGEST_VALUE))
  const encoded =
    bytes.length < 6 ? [] : [hexOf(bytes), ...[0, 1, 2].map((offset) => base64At(bytes, offset))]
  return [plain, ...encoded].filter((spelling) => spelling.length >= SHORTEST)
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The characters of base64 that only these bytes make, with so many other bytes before them. */
function base64At(bytes: Uint8Array, offset: number): string {
  const before = '\0'.repeat(offset)
  const text = btoa(before + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const bits = (offset + bytes.length) * 8
  return lettersOf(text.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6)))
}
