// Promise: stores/conformance
/** The memory store passes the suite. */
import { describe, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { storeConformance } from '../../src/testing.ts'

// They wait for ends of lives and claims: at the same time that takes seconds.
storeConformance({ describe, test: test.concurrent }, 'memory', async () => {
  const store = memoryStore()
  return { one: store, other: store, end: () => store.close() }
})
