// Promise: companion/bounded-maps
/** What is remembered for a while, and how much of it. */
import { expect, test } from 'vitest'
import { createExpiringMap } from '../src/expiringMap.ts'

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
