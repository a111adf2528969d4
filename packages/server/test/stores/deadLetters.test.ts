/** Dead letters are bounded. Postgres has the same test in postgres.test.ts, over rows that are written at once. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { DEAD_LETTERS } from '../../src/stores/store.ts'

for (const [name, store] of [
  ['memory', memoryStore()],
  ['SQLite', sqliteStore(':memory:')],
] as const) {
  test(`${name}: the oldest dead letters are removed`, async () => {
    for (let index = 0; index < DEAD_LETTERS + 2; index++) {
      await store.jobs.add(`job-${index}`, 'trusted')
      const [job] = await store.jobs.claim('trusted', 1, 60_000)
      if (job) await store.jobs.bury(job, 'why')
    }
    const keys = (await store.jobs.deadLetters(DEAD_LETTERS + 2)).map(({ key }) => key)
    expect(keys).toHaveLength(DEAD_LETTERS)
    expect(keys[0]).toBe(`job-${DEAD_LETTERS + 1}`)
    expect(keys.at(-1)).toBe('job-2')
    expect(await store.jobs.redrive()).toBe(DEAD_LETTERS)
    await store.close()
  })
}
