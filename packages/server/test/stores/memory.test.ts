// Promise: stores/conformance
/** The memory store passes the suite, and bounds its dead letters. */
import { describe, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { storeConformance } from '../../src/testing.ts'
import { boundsDeadLetters } from './keepsItsWord.ts'

// They wait for ends of lives and claims: at the same time that takes seconds.
storeConformance({ describe, test: test.concurrent }, 'memory', async () => {
  const store = memoryStore()
  return { one: store, other: store, end: () => store.close() }
})

// Promise: stores/dead-letters
test('the oldest dead letters are removed', async () => {
  const store = memoryStore()
  await boundsDeadLetters(store, async (count) => {
    for (let number = 1; number <= count; number++) {
      await store.jobs.add(`job-${number}`, 'trusted')
      const [job] = await store.jobs.claim('trusted', 1, 60_000)
      if (job) await store.jobs.bury(job, 'why')
    }
  })
})
