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

test('counts anew when the clock was set back by an hour', async () => {
  let now = Date.now()
  const count = memoryStore({ now: () => now }).counter('calls', 1)
  await count('ada')
  expect(await count('ada')).toBe(60_000)
  now -= 3_600_000
  expect(await count('ada')).toBe(0)
  expect(await count('ada')).toBe(60_000)
})

test('claiming a job takes no longer where sixty thousand others wait', async () => {
  const timeOfClaims = async (waiting: number): Promise<number> => {
    const { jobs } = memoryStore()
    for (let index = 0; index < waiting; index++) await jobs.add(`job-${index}`, 'trusted')
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = performance.now()
      for (let index = 0; index < 100; index++) await jobs.claim('trusted', 1, 60_000)
      rounds.push(performance.now() - before)
    }
    return Math.min(...rounds)
  }
  const few = await timeOfClaims(600)
  expect(await timeOfClaims(60_000)).toBeLessThan(20 * few)
})
