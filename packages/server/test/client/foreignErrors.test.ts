// Promise: companion/log
/** What is kept of an error that other code threw. */
import { expect, test } from 'vitest'
import { codeOf, safeCause, withoutValues } from '../../src/errors.ts'

const secret = 'Sk-Live_QuietHarbourSecret'

const coded = (message: string, code: unknown, cause?: unknown): Error =>
  Object.assign(new TypeError(message, { cause }), { code })

test.each([
  [coded(secret, 'ERR_ONE'), 'TypeError (ERR_ONE)'],
  [coded(secret, 'ERR_ONE', new RangeError(secret)), 'RangeError'],
  [new Error(secret, { cause: coded(secret, 'ECONNREFUSED') }), 'TypeError (ECONNREFUSED)'],
  [new Error(secret, { cause: secret }), 'Error'],
  [{ cause: new Error(secret) }, 'object'],
  [secret, 'string'],
  [null, 'object'],
])('of %j the name and the code are kept', (error, message) => {
  const cause = safeCause(error)
  expect(cause.message).toBe(message)
  expect(cause.stack).toBeUndefined()
})

test.each([
  ['AB', 'AB'],
  ['E_2', 'E_2'],
  ['A'.repeat(40), 'A'.repeat(40)],
  ['A', undefined],
  ['A'.repeat(41), undefined],
  [`${secret} ERR`, undefined],
  [`ERR ${secret}`, undefined],
  [404, undefined],
  [['ERR_ONE'], undefined],
])('the code %j is %j', (code, kept) => {
  expect(codeOf({ code })).toBe(kept)
})

test.each([[undefined], [null], ['ERR_ONE'], [{}], [Object.assign(() => {}, { code: 'ERR_ONE' })]])(
  '%j has no code',
  (error) => {
    expect(codeOf(error)).toBeUndefined()
  },
)

test.each([
  ['from jane@example.com today', 'from [redacted] today'],
  ['order abcdefg1 failed', 'order [redacted] failed'],
  ['order a1bcdefgh failed', 'order [redacted] failed'],
  ['order 12345678 failed', 'order [redacted] failed'],
  [`key ${'x'.repeat(32)} failed`, 'key [redacted] failed'],
  ['status 404 of v1alpha', 'status 404 of v1alpha'],
  [`key ${'x'.repeat(31)} failed`, `key ${'x'.repeat(31)} failed`],
])('%j is kept as %j', (text, kept) => {
  expect(withoutValues(text)).toBe(kept)
})

test('at most 300 characters of the first 2,000 are kept', () => {
  expect(withoutValues('word '.repeat(1_000))).toHaveLength(300)
  expect(withoutValues(`${'x'.repeat(1_998)} ab`)).toBe('[redacted] a')
})
