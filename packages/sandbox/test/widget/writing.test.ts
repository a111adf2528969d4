// Promises: widget/card, widget/languages
/** Formatting and validation of card fields, the sentences of the widget page, and the choice of its language. */
import { expect, test } from 'vitest'
import { languages as loaderLanguages } from '../../../loader/src/languages.ts'
import {
  checkPayment,
  formatCardNumber,
  formatExpiryDate,
  formatSecurityCode,
  toPayCheckout,
} from '../../src/widget/cardFormat.ts'
import { chooseTag } from '../../src/widget/language.ts'
import { languages } from '../../src/widget/languages.ts'

const formats = { number: formatCardNumber, date: formatExpiryDate, code: formatSecurityCode }

test.for([
  ['number', '4242424242424242', '4242 4242 4242 4242'],
  ['number', '4242-4242 4242', '4242 4242 4242'],
  ['number', '378282246310005', '3782 8224 6310 005'],
  ['number', '4242 ', '4242'],
  ['number', '', ''],
  ['date', '1', '1'],
  ['date', '5', '05'],
  ['date', '12', '12'],
  ['date', '122', '12/2'],
  ['date', '12/29', '12/29'],
  ['date', '12 / 29', '12/29'],
  ['date', '12/2029', '12/29'],
  ['date', '12/', '12'],
  ['code', '12a345', '1234'],
] as const)('a card’s %s typed as “%s” is written “%s”', ([field, typed, written]) => {
  expect(formats[field](typed)).toBe(written)
})

const payment = {
  email: 'ada@example.com',
  card_number: '4242 4242 4242 4242',
  expiry_date: '12/49',
  security_code: '123',
}

test.for(['ada@example.com', 'a.b+c@d.e.example', 'ada@é.example', ' ada@example.com '])(
  'a payment of %s passes validation',
  (email) => {
    expect(checkPayment({ ...payment, email })).toEqual({})
  },
)

test.for([
  ['card_number', '4242 4242'],
  ['expiry_date', '13/29'],
  ['security_code', '12'],
  ['email', 'ada'],
  ['email', 'ada@'],
  ['email', '@example.com'],
  ['email', 'ada@example'],
  ['email', 'ada@.com'],
  ['email', 'ada@example.'],
  ['email', 'ada@a..b'],
  ['email', 'a@b@c.d'],
  ['email', 'a da@example.com'],
] as const)('%s cannot be %s', ([field, value]) => {
  expect(Object.keys(checkPayment({ ...payment, [field]: value }))).toEqual([field])
})

test('the server gets the number without spaces', () => {
  expect(toPayCheckout({ ...payment, email: ' ada@example.com ' })).toEqual({
    ...payment,
    card_number: '4242424242424242',
  })
})

test('an e-mail address of 64 kB is validated immediately', () => {
  // CPU time: on a busy machine a test may wait longer than that.
  const started = process.cpuUsage()
  for (const part of ['.', 'a.', 'a', '@'])
    expect(checkPayment({ ...payment, email: `a@${part.repeat(65_536 / part.length)}@` })).toHaveProperty(
      'email',
    )
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

test('the page supports every language of the toolkit', () => {
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
