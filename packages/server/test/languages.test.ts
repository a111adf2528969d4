// Promise: companion/languages
/** Every language of the companion is complete, short and in its own script. */
import { describe, expect, test } from 'vitest'
import { DECLINE_CODES } from '../src/client/declines.ts'
import { type Language, languages } from '../src/languages.ts'

const spoken = Object.entries(languages)
const { en } = languages

const textsOf = ({ words, declineActions }: Language): string[] => [
  ...new Set([...Object.values(words), ...Object.values(declineActions)]),
]

test('there are 29 languages', () => {
  expect(Object.keys(languages).join(' ')).toBe(
    'ar bg cs da de el en es fi fr he hi hu id it ja ko nl pl pt-BR ro ru sv th tr uk vi zh-CN zh-TW',
  )
})

describe.each(spoken)('%s', (_, language) => {
  test('has every sentence that English has, and keeps it short', () => {
    expect(Object.keys(language)).toEqual(Object.keys(en))
    expect(Object.keys(language.words)).toEqual(Object.keys(en.words))
    for (const text of textsOf(language)) {
      expect(text).toBe(text.trim())
      expect(text).toMatch(/^.{2,90}$/u)
    }
  })

  test('has an action for each decline', () => {
    expect(Object.keys(language.declineActions)).toEqual(Object.keys(DECLINE_CODES))
  })
})

test('English has the interface’s action for each decline', () => {
  const actions = Object.entries(DECLINE_CODES).map(([code, { action }]) => [code, action])
  expect(en.declineActions).toEqual(Object.fromEntries(actions))
})

test('no sentence mixes two languages', () => {
  const texts = spoken.flatMap(([, language]) => textsOf(language))
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})

/** Scripts other than Latin. A Latin letter among them would be a mistake, since many look alike. */
const scripts = {
  ar: /^[\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]+$/u,
  bg: /^[\p{Script=Cyrillic}\p{Script=Common}]+$/u,
  el: /^[\p{Script=Greek}\p{Script=Common}]+$/u,
  he: /^[\p{Script=Hebrew}\p{Script=Common}]+$/u,
  hi: /^[\p{Script=Devanagari}\p{Script=Common}]+$/u,
  ja: /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Common}]+$/u,
  ko: /^[\p{Script=Hangul}\p{Script=Common}]+$/u,
  ru: /^[\p{Script=Cyrillic}\p{Script=Common}]+$/u,
  th: /^[\p{Script=Thai}\p{Script=Common}]+$/u,
  uk: /^[\p{Script=Cyrillic}\p{Script=Common}]+$/u,
  'zh-CN': /^[\p{Script=Han}\p{Script=Common}]+$/u,
  'zh-TW': /^[\p{Script=Han}\p{Script=Common}]+$/u,
} satisfies Record<string, RegExp>

test.each(Object.entries(scripts))('%s uses its own script only', (tag, script) => {
  const language = languages[tag]
  expect(language).toBeDefined()
  for (const text of language ? textsOf(language) : []) expect(text).toMatch(script)
})
