// Promise: stores/dead-letters
/** Dead letters are bounded. Postgres has the same test in postgres.test.ts, over rows that are written at once. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { DEAD_LETTERS } from '../../src/stores/store.ts'

const AT_ONCE = 500

for (const [name, store] of [
  ['memory', memoryStore()],
  ['SQLite', sqliteStore(':memory:')],
] as const) {
  test(`${name}: the oldest dead letters are removed`, async () => {
    const names = Array.from({ length: DEAD_LETTERS + 2 }, (_, index) => `job-${index}`)
    while (names.length > 0) {
      // What is written at the same time shares a transaction, and keeps its order.
      await Promise.all(names.splice(0, AT_ONCE).map((key) => store.jobs.add(key, 'trusted')))
      const jobs = await store.jobs.claim('trusted', AT_ONCE, 60_000)
      await Promise.all(jobs.map((job) => store.jobs.bury(job, 'why')))
    }
    const keys = (await store.jobs.deadLetters(DEAD_LETTERS + 2)).map(({ key }) => key)
    expect(keys).toHaveLength(DEAD_LETTERS)
    expect(keys[0]).toBe(`job-${DEAD_LETTERS + 1}`)
    expect(keys.at(-1)).toBe('job-2')
    expect(await store.jobs.redrive()).toBe(DEAD_LETTERS)
    await store.close()
  })
}
