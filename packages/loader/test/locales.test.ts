// Promise: loader/languages
/** What the loader says, in every language: complete, in that language, and short enough for its place. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { strings as english } from '../src/locales/en.ts'
import type { WidgetStrings } from '../src/types.ts'

const folder = join(import.meta.dirname, '../src/locales')

const languages =
  'ar bg cs da de el en es fi fr he hi hu id it ja ko nl pl pt-BR ro ru sv th tr uk vi zh-CN zh-TW'.split(' ')

/** What a text of a language that is not written in Latin letters is written in. */
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

const load = async (language: string): Promise<WidgetStrings> =>
  (await import(join(folder, `${language}.ts`))).strings

const textsOf = (strings: WidgetStrings): [string, string][] => Object.entries(strings)

test('there is a file for each of the 29 languages, and for no other', () => {
  expect(
    globSync('*.ts', { cwd: folder })
      .map((file) => basename(file, '.ts'))
      .sort(),
  ).toEqual([...languages].sort())
  expect(languages).toHaveLength(29)
})

describe.each(languages.filter((language) => language !== 'en'))('%s', (language) => {
  test('says all that English says', async () => {
    const strings = await load(language)
    expect(Object.keys(strings)).toEqual(Object.keys(english))
    for (const [name, text] of textsOf(strings)) expect(text.trim(), name).toMatch(/\S/)
  })

  test('says nothing in English', async () => {
    const script = scripts[language]
    for (const [name, text] of textsOf(await load(language))) {
      expect(text, name).not.toBe(english[name as keyof WidgetStrings])
      if (script) expect(text, name).toMatch(script)
      if (script) expect(text, name).not.toMatch(/\p{Script=Latin}/u)
    }
  })

  test('says it shortly: 32 characters on a button, 90 in a sentence', async () => {
    const strings = await load(language)
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

test.each(languages)('%s calls different buttons differently', async (language) => {
  const strings = await load(language)
  for (const names of together) expect(new Set(names.map((name) => strings[name])).size).toBe(names.length)
})

test('no two languages say the same', async () => {
  const all = await Promise.all(languages.map(load))
  expect(new Set(all.map((strings) => JSON.stringify(strings))).size).toBe(29)
})
