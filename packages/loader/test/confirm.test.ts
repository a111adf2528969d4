import { expect, onTestFinished, test, vi } from 'vitest'
import type { Answer } from '../src/outcome/answer.ts'
import { createAsk, untilEnded } from '../src/outcome/confirm.ts'

const answersOf = (...answers: Answer[]): (() => Promise<Answer>) => {
  let asked = 0
  return async () => answers[Math.min(asked++, answers.length - 1)] ?? { status: 'none' }
}

test.each([{ status: 'none' }, { status: 'failed' }] as const)(
  'an answer of $status for which the service was not asked is asked for again',
  async (stale) => {
    const ask = answersOf({ ...stale, fresh: false }, { status: 'complete', fresh: true })
    expect(await untilEnded(ask, false)).toEqual({ status: 'complete', fresh: true })
  },
)

test.each([
  ['order_complete', 'complete'],
  ['order_failed', 'failed'],
  ['payment_started', 'pending'],
  ['order_refunded', 'pending'],
])('an order that a function tells of as %s is %s', async (type, status) => {
  const order = { id: 'o1', type, decline: null }
  const ask = createAsk({ confirm: async () => order }, 'AbCdEfGhIjKlMnOpQrSt_-')
  expect(await ask?.()).toEqual({ status, state: 'matched', order })
})

test('an answer that no order is known is the end, unless somebody came back', async () => {
  expect(await untilEnded(answersOf({ status: 'none' }, { status: 'failed' }), false)).toEqual({
    status: 'none',
  })
  expect(await untilEnded(answersOf({ status: 'none' }, { status: 'failed' }), true)).toEqual({
    status: 'failed',
  })
})

test('a server that could never look has not answered', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ended = untilEnded(answersOf({ status: 'none', fresh: false }), false)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await ended).toBeUndefined()
})
