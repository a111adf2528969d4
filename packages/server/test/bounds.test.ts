// Promise: companion/deadline
/** What is waited for or remembered has an end. */
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { startDeadline } from '../src/deadline.ts'
import { createExpiringMap } from '../src/expiringMap.ts'

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

// Promise: companion/bounded-maps
test('an entry ends when its time is over, counted from when it was set last', () => {
  let now = 60_000
  const map = createExpiringMap<string>({ max: 10, ttlMs: 3_000, now: () => now })
  map.set('ada', 'first')
  now += 2_999
  expect([map.get('ada'), map.has('ada')]).toEqual(['first', true])
  now += 1
  expect([map.get('ada'), map.has('ada')]).toEqual([undefined, false])
  map.set('ada', 'second')
  now += 2_999
  map.set('ada', 'third')
  now += 2_999
  expect(map.get('ada')).toBe('third')
})

test('the entry that was not used for longest goes where there are too many', () => {
  const map = createExpiringMap<true>({ max: 2, ttlMs: 3_000 })
  for (const name of ['ada', 'bob', 'eve']) map.set(name, true)
  expect(['ada', 'bob', 'eve'].map((name) => map.has(name))).toEqual([false, true, true])
})
