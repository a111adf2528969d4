/** Values are taken out of text however they are spelt, and the rest stays readable. */
import { describe, expect, test } from 'vitest'
import { codeOf, redact, safeCause } from '../src/client/redact.ts'

/** Without digits, so that only the comparison finds it. */
const secret = 'Sk-Live_QuietHarbourSecret'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

const respellings: [string, string][] = [
  ['as it is', secret],
  ['in lower case', secret.toLowerCase()],
  ['in upper case', secret.toUpperCase()],
  ['percent-encoded', percent(secret)],
  ['percent-encoded twice', encodeURIComponent(percent(secret))],
  ['half percent-encoded', `${percent(secret.slice(0, 9))}${secret.slice(9)}`],
  ['with spaces', Array.from(secret).join(' ')],
  ['with line breaks', secret.replace('Quiet', 'Quiet\n')],
  ['with zero-width spaces', Array.from(secret).join('\u200b')],
  ['without signs', secret.replaceAll(/[-_]/g, '')],
  ['with other signs', secret.replaceAll(/[-_]/g, '.')],
  ['in JSON escapes', secret.replace('Q', '\\u0051')],
  ['in string escapes', secret.replace('Q', '\\x51')],
  ['in HTML entities', secret.replace('Q', '&#81;').replace('H', '&#x48;')],
  ['in full-width letters', secret.replace('Q', 'Ｑ')],
  ['in base64', base64(secret)],
  ['in base64url without padding', Buffer.from(secret).toString('base64url')],
  ['in base64 behind one byte', base64(`:${secret}:`)],
  ['in base64 behind two bytes', base64(`a:${secret}`)],
  ['in base64 with line breaks', base64(secret).replace(/.{10}/, '$&\r\n')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in hexadecimal with colons', (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(':')],
]

test.each(respellings)('a value is removed %s', (_, spelling) => {
  const clean = redact(`The key ${spelling} is wrong.`, ['other', secret])
  expect(clean).not.toContain(spelling)
  for (const part of spelling.split(/\s+/).filter((word) => word.length > 6))
    expect(clean).not.toContain(part)
  expect(clean).toMatch(/^The key .*\[redacted\].* is wrong\.$|^The key \[redacted\]/s)
})

describe('what stays', () => {
  test.each([
    ['Canada is on the list', ['Ada']],
    ['usage of the api is limited', ['USA', 'CA']],
    ['email must be an e-mail address', ['Ada', 'Lovelace']],
  ])('%j with %j', (text, values) => {
    expect(redact(text, values)).toBe(text)
  })
})

test('a short value is removed as a word, in any case', () => {
  expect(redact('no ADA, no ada.', ['Ada'])).toBe('no [redacted], no [redacted].')
})

test.each([
  [`${secret} is wrong`, [secret], '[redacted] is wrong'],
  ['theorchids', ['orchid'], 'the[redacted]s'],
  ['orchidmarble', ['orchid', 'marble'], '[redacted][redacted]'],
  ['a marble, an orchid-tree', ['marble', 'orchid-tree'], 'a [redacted], an [redacted]'],
  ['a marble, an orchid-tree', ['orchid-tree', 'marble'], 'a [redacted], an [redacted]'],
])('%j without %j is %j', (text, values, clean) => {
  expect(redact(text, values)).toBe(clean)
})

test.each([
  ['from jane@example.com today', 'from [redacted] today'],
  ['order abcdefg1 failed', 'order [redacted] failed'],
  ['order a1bcdefgh failed', 'order [redacted] failed'],
  ['order 12345678 failed', 'order [redacted] failed'],
  [`key ${'x'.repeat(32)} failed`, 'key [redacted] failed'],
  ['status 404 of v1alpha', 'status 404 of v1alpha'],
  [`key ${'x'.repeat(31)} failed`, `key ${'x'.repeat(31)} failed`],
])('of %j what looks like a value is removed, though nobody named it', (text, clean) => {
  expect(redact(text, [])).toBe(clean)
})

test('at most 300 characters are kept, of the first 2,000 that were read', () => {
  expect(redact('word '.repeat(1_000), [])).toHaveLength(300)
  const first = `${'v'.repeat(1_980)} and some words more`
  expect(first).toHaveLength(2_000)
  expect(redact(`${first}${secret}`, [secret])).toBe('[redacted] and some words more')
  expect(redact(`${first} and more, ${secret}`, [secret])).toBe('[redacted] and some words more')
})

describe('of an error that another library threw', () => {
  const coded = (message: string, code: unknown, cause?: unknown): Error =>
    Object.assign(new TypeError(message, { cause }), { code })

  test.each([
    [coded(secret, 'ERR_ONE'), 'TypeError (ERR_ONE)'],
    [coded(secret, 'ERR_ONE', new RangeError(secret)), 'RangeError'],
    [new Error(secret, { cause: coded(secret, 'ECONNREFUSED') }), 'TypeError (ECONNREFUSED)'],
    [new Error(secret, { cause: secret }), 'Error'],
    [{ cause: new Error(secret) }, 'object'],
    [secret, 'string'],
    [null, 'object'],
  ])('name and code are kept', (error, message) => {
    const cause = safeCause(error)
    expect(cause.message).toBe(message)
    expect(cause.stack).toBeUndefined()
  })

  test.each([
    ['AB', 'AB'],
    ['E_2', 'E_2'],
    ['A'.repeat(40), 'A'.repeat(40)],
    ['A', undefined],
    ['A'.repeat(41), undefined],
    [`${secret} ERR`, undefined],
    [`ERR ${secret}`, undefined],
    [404, undefined],
    [['ERR_ONE'], undefined],
  ])('the code %j is %j', (code, kept) => {
    expect(codeOf({ code })).toBe(kept)
  })

  test.each([[undefined], [null], ['ERR_ONE'], [{}], [Object.assign(() => {}, { code: 'ERR_ONE' })]])(
    '%j has no code',
    (error) => {
      expect(codeOf(error)).toBeUndefined()
    },
  )
})

test('a value that a long text is cut in leaves no part behind', () => {
  const text = `${'word '.repeat(10)}${'x'.repeat(1_930)} ${secret}`
  expect(redact(text, [secret])).not.toContain('Sk-Live')
})

test('a value over two others is removed as a whole', () => {
  expect(redact('see orchid-marble-lantern', ['orchid-marble', 'marble-lantern', 'marble'])).toBe(
    'see [redacted]',
  )
})

test('its cost is bounded, whatever the text and the values', () => {
  const hostile = '%25'.repeat(1_000_000)
  const before = process.cpuUsage()
  for (let run = 0; run < 50; run++)
    redact(
      hostile,
      Array.from({ length: 10 }, () => hostile),
    )
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(30_000)
})
