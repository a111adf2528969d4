// Promise: loader/languages
/** The loader's texts in every language: complete, translated, and short enough for their place. */
import { describe, expect, test } from 'vitest'
import { english } from '../src/english.ts'
import { languages } from '../src/languages.ts'
import type { WidgetStrings } from '../src/types.ts'

const others = Object.entries(languages).filter(([language]) => language !== 'en')

/** The script of each language that is not written in Latin letters. */
const scripts: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
  'zh-CN': /\p{Script=Han}/u,
  'zh-TW': /\p{Script=Han}/u,
}

const buttons = [
  'close',
  'cancel',
  'bringToFront',
  'finished',
  'trouble',
  'retry',
  'openInNewWindow',
] as const

const textsOf = (strings: WidgetStrings): [string, string][] => Object.entries(strings)

test('the loader has texts in 29 languages', () => {
  expect(Object.keys(languages)).toHaveLength(29)
})

describe.each(others)('%s', (language, strings) => {
  test('the language has every English text', () => {
    expect(Object.keys(strings)).toEqual(Object.keys(english))
    for (const [name, text] of textsOf(strings)) expect(text.trim(), name).toMatch(/\S/)
  })

  test('no text is in English', () => {
    const script = scripts[language]
    for (const [name, text] of textsOf(strings)) {
      expect(text, name).not.toBe(english[name as keyof WidgetStrings])
      if (script) expect(text, name).toMatch(script)
      if (script) expect(text, name).not.toMatch(/\p{Script=Latin}/u)
    }
  })

  test('a button has at most 32 characters, and a sentence at most 90', () => {
    for (const name of buttons) expect(strings[name].length, strings[name]).toBeLessThanOrEqual(32)
    for (const [, text] of textsOf(strings)) expect(text.length, text).toBeLessThanOrEqual(90)
  })
})

/** Buttons that stand side by side. */
const together = [
  ['close', 'trouble'],
  ['close', 'retry', 'openInNewWindow', 'dismiss'],
  ['retry', 'cancel'],
  ['askAgain', 'dismiss'],
  ['bringToFront', 'finished', 'cancel'],
  ['openInNewWindow', 'finished', 'cancel'],
] as const

test.each(Object.entries(languages))('adjacent buttons have different labels in %s', (_, strings) => {
  for (const names of together) expect(new Set(names.map((name) => strings[name])).size).toBe(names.length)
})

test('no two languages have the same texts', () => {
  const all = Object.values(languages).map((strings) => JSON.stringify(strings))
  expect(new Set(all).size).toBe(29)
})
