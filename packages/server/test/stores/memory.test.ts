/** The memory store passes the suite, and what only it has. */
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { storeConformance } from '../../src/testing.ts'

storeConformance({ describe, test }, 'memory', async () => {
  const store = memoryStore()
  return { one: store, other: store, end: () => store.close() }
})

test('counts anew in the next minute, and forgets who has gone', async () => {
  let now = 0
  const count = memoryStore({ now: () => now }).counter('calls', 1)
  expect(await count('ada')).toBe(0)
  expect(await count('ada')).toBe(60_000)
  now = 60_000
  expect(await count('ada')).toBe(0)
})

test('a job is found at once behind sixty thousand others', async () => {
  const { jobs } = memoryStore()
  for (let index = 0; index < 60_000; index++) await jobs.add(`job-${index}`, 'trusted')
  const before = performance.now()
  const [first] = await jobs.claim('trusted', 1, 1_000)
  expect(first?.key).toBe('job-0')
  expect(performance.now() - before).toBeLessThan(5)
})
