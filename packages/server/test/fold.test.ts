/** How texts are compared when values are taken out of them: by letters and digits, however these are written. */
import { expect, test } from 'vitest'
import { fold, spellingsOf } from '../src/client/fold.ts'

test.each([
  ['Ab-1 _ é', 'ab1e'],
  ['ＱＲ', 'qr'],
  ['%25', ''],
  ['%41%2541%252541', 'aaa'],
  ['%4a%4A', 'jj'],
  ['\\u0041\\u004a', 'aj'],
  ['\\x41\\x4A', 'aj'],
  ['&#x41;&#x4a;&#x0041;', 'aja'],
  ['&#65;&#0065;&#101;', 'aae'],
])('%s is read as %s', (text, letters) => {
  expect(fold(text).text).toBe(letters)
})

test.each([
  ['%4', '4'],
  ['%4g', '4g'],
  ['%g4', 'g4'],
  ['\\u4', 'u4'],
  ['\\u0141', 'u0141'],
  ['\\u004g', 'u004g'],
  ['\\x4', 'x4'],
  ['\\x4g', 'x4g'],
  ['&#x4;', 'x4'],
  ['&#x4g;', 'x4g'],
  ['&#x141;', 'x141'],
  ['&#6;', '6'],
  ['&#6g;', '6g'],
  ['&#1065;', '1065'],
])('%s, which is no escape of a character, stays %s', (text, letters) => {
  expect(fold(text).text).toBe(letters)
})

test('each letter is found where it stood, with all that it was written by', () => {
  const { text, rangeOf } = fold('-%2541b &#99;ﬁ')
  expect(text).toBe('abcfi')
  const places = Array.from(text, (_, at) => rangeOf(at, at + 1))
  expect(places).toEqual([
    [1, 6],
    [6, 7],
    [8, 13],
    [13, 14],
    [13, 14],
  ])
  expect(rangeOf(0, 3)).toEqual([1, 13])
})

test('a value is looked for as it is, in hexadecimal, and in base64 wherever it begins', () => {
  expect(spellingsOf('Orchid')).toEqual(['orchid', '4f7263686964', 't3jjaglk', '9yy2hpz', 'pcmnoaw'])
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const text = fold(Buffer.from(`${before}Orchid!`).toString('base64')).text
    expect(spellingsOf('Orchid').filter((one) => text.includes(one))).toHaveLength(1)
  }
})

test('what is short is looked for as it is alone, and what is very short not at all', () => {
  expect(spellingsOf('Ochid')).toEqual(['ochid'])
  expect(spellingsOf('A-da')).toEqual(['ada'])
  expect(spellingsOf('A-d')).toEqual([])
})

test('bytes count, and a value of signs alone is found by them', () => {
  expect(spellingsOf('äöü').slice(0, 2)).toEqual(['aou', 'c3a4c3b6c3bc'])
  expect(spellingsOf('------')[0]).toBe('2d2d2d2d2d2d')
})

test('256 characters of a value are looked for', () => {
  expect(spellingsOf('a'.repeat(300)).map(({ length }) => length)).toEqual([256, 512, 341, 340, 341])
})
