/** The companion speaks the loader's languages, and says of a declined card what the loader says, though neither imports the other. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DECLINE_CODES } from '../src/client/declines.ts'
import { languages } from '../src/languages/index.ts'
import type { Language } from '../src/languages/types.ts'

const tagsIn = (folder: string): string[] =>
  globSync('*.ts', { cwd: join(import.meta.dirname, folder) }).map((file) => basename(file, '.ts'))

const spoken = Object.entries(languages)
const { en } = languages

const textsOf = ({ words, declineActions }: Language): string[] => [
  ...new Set([...Object.values(words), ...Object.values(declineActions)]),
]

/** English is what the companion says itself: the loader's English leaves it at that. */
async function actionsOfLoader(tag: string): Promise<unknown> {
  if (tag === 'en')
    return Object.fromEntries(Object.entries(DECLINE_CODES).map(([code, { action }]) => [code, action]))
  return (await import(`@purchase-widget/loader/locales/${tag}`)).strings.declineActions
}

test('the languages are the 29 of the loader, one file each', () => {
  const tags = spoken.map(([tag]) => tag)
  expect(tags).toHaveLength(29)
  expect([...tags].sort()).toEqual(tagsIn('../../loader/src/locales').sort())
  expect([...tags, 'index', 'types'].sort()).toEqual(tagsIn('../src/languages').sort())
})

describe.each(spoken)('%s', (tag, language) => {
  test('says all that English says, shortly', () => {
    expect(Object.keys(language)).toEqual(Object.keys(en))
    expect(Object.keys(language.words)).toEqual(Object.keys(en.words))
    for (const text of textsOf(language)) {
      expect(text).toBe(text.trim())
      expect(text).toMatch(/^.{4,90}$/u)
    }
  })

  test('says of each decline what the loader says', async () => {
    expect(Object.keys(language.declineActions)).toEqual(Object.keys(DECLINE_CODES))
    expect(language.declineActions).toEqual(await actionsOfLoader(tag))
  })
})

test('no sentence is of two languages', () => {
  const texts = spoken.flatMap(([, language]) => textsOf(language))
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})

/** What is not written in Latin letters. Latin ones among them would be a slip, since many look alike. */
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
} satisfies Partial<Record<keyof typeof languages, RegExp>>

test.each(Object.entries(scripts))('%s is in its own script alone', (tag, script) => {
  for (const text of textsOf(languages[tag as keyof typeof scripts])) expect(text).toMatch(script)
})
