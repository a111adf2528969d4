import { expect, test } from 'vitest'
import type { TimedStep } from '../story.ts'
import { fold } from '../web/fold.ts'

let id = 0
const step = (text: string): TimedStep => ({ id: id++, at: id, from: 'page', to: 'server', text })

/** `a b×2`, for the steps of a line of letters. */
const folded = (letters: string): string =>
  fold([...letters].map(step))
    .map(({ step: { text }, times }) => (times > 1 ? `${text}×${times}` : text))
    .join(' ')

test.each([
  ['abc', 'a b c'],
  ['aab', 'a×2 b'],
  ['aaaa', 'a×4'],
  ['xababab', 'x a×3 b×3'],
  ['abcabcd', 'a×2 b×2 c×2 d'],
  ['abca', 'a b c a'],
  ['', ''],
])('%s is shown as %s', (letters, rows) => {
  expect(folded(letters)).toBe(rows)
})

test('steps that differ in what a developer calls them are not the same', () => {
  expect(fold([step('a'), { ...step('a'), call: 'GET /' }])).toHaveLength(2)
})
