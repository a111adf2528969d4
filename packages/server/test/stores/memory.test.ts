/** The memory store passes the suite, and what only it has. */
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { storeConformance } from '../../src/testing.ts'

// They wait for ends of lives and claims: at the same time that takes seconds.
storeConformance({ describe, test: test.concurrent }, 'memory', async () => {
  const store = memoryStore()
  return { one: store, other: store, end: () => store.close() }
})

test('the counter begins anew in the next minute', async () => {
  let now = 0
  const count = memoryStore({ now: () => now }).counter('calls', 1)
  expect(await count('ada')).toBe(0)
  expect(await count('ada')).toBe(60_000)
  now = 60_000
  expect(await count('ada')).toBe(0)
})

test('the counter begins anew when the clock was set back by an hour', async () => {
  let now = Date.now()
  const count = memoryStore({ now: () => now }).counter('calls', 1)
  await count('ada')
  expect(await count('ada')).toBe(60_000)
  now -= 3_600_000
  expect(await count('ada')).toBe(0)
  expect(await count('ada')).toBe(60_000)
})

test('the counter keeps ten thousand keys, and the one seen longest ago begins anew', async () => {
  const count = memoryStore({ now: () => 1 }).counter('calls', 1)
  for (let index = 0; index <= 10_000; index++) await count(`key-${index}`)
  expect(await count('key-10000')).toBe(60_000)
  expect(await count('key-0')).toBe(0)
})
