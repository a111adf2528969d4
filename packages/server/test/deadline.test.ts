// Promise: companion/deadline
/** What a call leaves behind once it has ended. */
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { startDeadline } from '../src/deadline.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

test('a stopped deadline keeps no reference to what was waited for', async () => {
  const { signal, race, stop } = startDeadline(60_000)
  expect(await race(Promise.resolve('answer'))).toBe('answer')
  expect(listeners(signal)).toBe(1)
  stop()
  expect(listeners(signal)).toBe(0)
})

test('a deadline that has passed ends the wait', async () => {
  const { signal, race } = startDeadline(20)
  await expect(race(new Promise(() => {}))).rejects.toThrow('deadline')
  expect(signal.aborted).toBe(true)
})
