// Promise: widget/languages
/** The sentences of the widget page, and which language it speaks. */
import { expect, test } from 'vitest'
import { languages as loaderLanguages } from '../../../loader/src/languages.ts'
import { chooseTag } from '../../src/widget/language.ts'
import { languages } from '../../src/widget/languages.ts'

test('the page speaks every language of the toolkit', () => {
  expect(Object.keys(languages).sort()).toEqual(Object.keys(loaderLanguages).sort())
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

test.for(Object.entries(languages))('every sentence of %s has the values of the English one', ([, words]) => {
  for (const [name, sentence] of Object.entries(languages.en)) {
    const translated = words[name as keyof typeof words] // the keys of the English entry are those of every other
    expect(translated, name).not.toBe('')
    expect(valuesIn(translated), name).toEqual(valuesIn(sentence))
  }
})

const valuesIn = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort()
