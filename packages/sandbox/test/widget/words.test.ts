// Promise: widget/languages
/** The sentences of the widget page, and which language it speaks. */
import { expect, test } from 'vitest'
import { languages } from '../../../loader/src/languages.ts'
import { chooseTag, loadLanguage, tags } from '../../src/widget/language.ts'

test('the page speaks every language of the toolkit', () => {
  expect([...tags].sort()).toEqual(Object.keys(languages).sort())
})

test.for([
  [['de-AT'], 'de'],
  [['zh-HK'], 'zh-TW'],
  [['zh'], 'zh-CN'],
  [['pt-PT'], 'pt-BR'],
  [['iw'], 'he'],
  [['', 'fr-CA', 'de'], 'fr'],
  [['not a locale', 'tlh', 'fi'], 'fi'],
  [['tlh'], 'en'],
] as const)('of %j the page speaks %s', ([wanted, tag]) => {
  expect(chooseTag(wanted)).toBe(tag)
})

test.for(tags)('every sentence of %s is there, with the values of the English one', async (tag) => {
  const english = flat((await loadLanguage('en')).words)
  const sentences = flat((await loadLanguage(chooseTag([tag]))).words)
  expect(Object.keys(sentences)).toEqual(Object.keys(english))
  for (const [name, sentence] of Object.entries(sentences)) {
    expect(sentence, name).not.toBe('')
    expect(valuesIn(sentence), name).toEqual(valuesIn(english[name] ?? ''))
  }
})

const valuesIn = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort()

const flat = (words: object, path = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(words).flatMap(([name, value]) =>
      typeof value === 'string' ? [[path + name, value]] : Object.entries(flat(value, `${path}${name}.`)),
    ),
  )
