// Promise: build/promises
import { expect, test } from 'vitest'
import { markersIn, problemsOf, promisesIn } from '../promises.ts'

const promises = promisesIn(
  '## Popup\n\n- `popup/click` A popup opens in the click.\n- `popup/end` It closes.\n',
)

test('a marker names one or more promises, with its line number', () => {
  const source = `// ${'Promise'}: popup/click\ntest()\n  // ${'Promises'}: popup/end, popup/click\n`
  expect(markersIn('a.test.ts', source)).toEqual([
    { id: 'popup/click', file: 'a.test.ts', line: 1 },
    { id: 'popup/end', file: 'a.test.ts', line: 3 },
    { id: 'popup/click', file: 'a.test.ts', line: 3 },
  ])
})

test('a promise without a test, a test file without a promise and an unknown promise are problems', () => {
  const marker = (id: string): { id: string; file: string; line: number } => ({
    id,
    file: 'a.test.ts',
    line: 1,
  })
  expect(problemsOf(promises, [marker('popup/click'), marker('popup/end')], ['a.test.ts'])).toEqual([])
  expect(
    problemsOf(promises, [marker('popup/click'), marker('popup/ends')], ['a.test.ts', 'b.test.ts']),
  ).toEqual([
    'popup/end has no test.',
    'a.test.ts:1: PROMISES.md has no popup/ends.',
    'b.test.ts holds no promise.',
  ])
})
