// Promise: stores/conformance
/** The SQLite store passes the suite over two handles of one file, between processes and next to a shop’s own tables; so does the memory store. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { storeConformance } from '../../testing/index.ts'
import { folderOfThisFile } from '../support/untilTheEnd.ts'
import { boundsDeadLetters, keepsItsWord, recordOf, type Shared } from './keepsItsWord.ts'

const folder = folderOfThisFile()
let files = 0
const newFile = (): string => join(folder, `${++files}.sqlite`)
const record = recordOf('order-1')

async function twoHandles(): Promise<Shared & { file: string }> {
  const file = newFile()
  const [one, other] = [sqliteStore(file), sqliteStore(file)]
  return {
    file,
    of: { kind: 'sqlite', file },
    prefix: 'purchase_widget_',
    one,
    other,
    async openShop() {
      const shop = new DatabaseSync(file)
      return {
        connection: shop,
        run: async (sql) => shop.prepare(sql).all(),
        close: async () => shop.close(),
      }
    },
    async end() {
      await Promise.all([one.close(), other.close()])
    },
  }
}

// They wait for values and claims to expire: run concurrently, that takes seconds.
storeConformance({ describe, test: test.concurrent }, 'SQLite', twoHandles)

describe('SQLite, between processes', () => {
  keepsItsWord(twoHandles)
})

describe('SQLite, beside the tables of a shop', () => {
  test('refuses a transaction that it cannot write into', async () => {
    const { one, end } = await twoHandles()
    expect(() => one.handled.addWithin?.({ query() {} }, record)).toThrow(/DatabaseSync/)
    await end()
  })

  test.each([
    ['node:sqlite', (shop: DatabaseSync) => shop],
    [
      'bun:sqlite',
      (shop: DatabaseSync) => ({
        prepare: (sql: string) => shop.prepare(sql),
        get inTransaction() {
          return shop.isTransaction
        },
      }),
    ],
    [
      'a driver that does not say whether it is in a transaction',
      (shop: DatabaseSync) => ({ prepare: (sql: string) => shop.prepare(sql) }),
    ],
  ])('records nothing without a transaction of %s', async (_, connectionOf) => {
    const { file, one, end } = await twoHandles()
    await one.handled.has('order-1', 'order_complete')
    const shop = new DatabaseSync(file)
    const connection = connectionOf(shop)
    expect(() => one.handled.addWithin?.(connection, record)).toThrow(/needs a transaction. BEGIN first/)
    expect(shop.isTransaction).toBe(false)
    expect(await one.handled.has('order-1', 'order_complete')).toBe(false)
    shop.exec('BEGIN')
    expect(one.handled.addWithin?.(connection, record)).toBe(true)
    expect(one.handled.addWithin?.(connection, record)).toBe(false)
    shop.exec('ROLLBACK')
    expect(await one.handled.has('order-1', 'order_complete')).toBe(false)
    shop.close()
    await end()
  })

  test('refuses a connection of a library that has a SQLite of its own', async () => {
    const { file, one, end } = await twoHandles()
    const shop = new DatabaseSync(file)
    shop.exec('BEGIN')
    // As better-sqlite3.
    const connection = { prepare: (sql: string) => shop.prepare(sql), inTransaction: true, pragma() {} }
    expect(() => one.handled.addWithin?.(connection, record)).toThrow(/Use a DatabaseSync of node:sqlite/)
    shop.close()
    await end()
  })

  test('reports a connection that is closed', async () => {
    const { one, end } = await twoHandles()
    const shop = new DatabaseSync(':memory:')
    shop.close()
    const connection = { prepare: (sql: string) => shop.prepare(sql) }
    expect(() => one.handled.addWithin?.(connection, record)).toThrow(/not open/)
    await end()
  })

  test('waits for a shop that is writing, without blocking the process', async () => {
    const { file, one, end } = await twoHandles()
    await one.handled.has('order-1', 'order_complete')
    const shop = new DatabaseSync(file)
    shop.exec('BEGIN IMMEDIATE')
    const added = one.handled.add(record)
    let longest = 0
    for (let index = 0; index < 20; index++) {
      const before = performance.now()
      await setTimeout(10)
      longest = Math.max(longest, performance.now() - before)
    }
    shop.exec('COMMIT')
    expect(await added).toBe(true)
    // A wait inside SQLite, of the usual five seconds, would block it for as long.
    expect(longest).toBeLessThan(4_000)
    shop.close()
    await end()
  })
})

/** The locks on a file, as Linux lists them. */
function locksOn(file: string): number {
  const inode = `:${statSync(file).ino} `
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(inode)).length
}

// Without the lock, another process may take away the log that this one writes to, and with it the orders in it.
test.skipIf(process.platform !== 'linux')(
  'a shop’s connection that was open before the store keeps its lock on the file',
  async () => {
    const file = newFile()
    const earlier = sqliteStore(file)
    await earlier.set('key', 'value', null)
    await earlier.close()
    const shop = new DatabaseSync(file)
    shop.exec('CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT)')
    expect(locksOn(file)).toBe(1)
    const store = sqliteStore(file)
    await store.set('key', 'value', null)
    expect(locksOn(file)).toBe(1)
    shop.close()
    await store.close()
  },
)

test('only its owner can read the file', async () => {
  const { file, one, end } = await twoHandles()
  await one.set('access-token', 'secret', null)
  for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o077).toBe(0)
  await end()
})

test('the file that cannot be opened is named, and tried again', async () => {
  const store = sqliteStore('/nowhere/shop.sqlite')
  await expect(store.get('a')).rejects.toThrow('sqliteStore cannot open /nowhere/shop.sqlite')
  await expect(store.purchases.find('a')).rejects.toThrow('sqliteStore cannot open')
})

test('a file that is no SQLite database, or a damaged one, is named, with what to do', async () => {
  const [text, damaged] = [newFile(), newFile()]
  writeFileSync(text, 'what a shop has written down '.repeat(100))
  const store = sqliteStore(damaged)
  await store.set('key', 'value', null)
  await store.close()
  writeFileSync(damaged, readFileSync(damaged).fill(7, 100))
  for (const [file, problem] of [
    [text, 'file is not a database. Name a SQLite file, or one that is not there yet.'],
    [damaged, 'database disk image is malformed. Restore the file from a backup.'],
  ] as const) {
    const broken = sqliteStore(file)
    const refused = {
      name: 'InvalidInputError',
      message: `configuration: sqliteStore cannot open ${file}: ${problem}`,
    }
    // Each call tries again, since the file may have been replaced.
    for (const call of [() => broken.get('key'), () => broken.set('key', 'value', null)])
      await expect(call()).rejects.toMatchObject(refused)
    await broken.close()
  }
})

test('a failed write does not stop later ones, even where node:sqlite cannot say whether a transaction is open', async () => {
  /** As in Node 22.13 to 22.15: without isTransaction. */
  class OlderDatabase {
    readonly #database: DatabaseSync
    constructor(file: string) {
      this.#database = new DatabaseSync(file)
    }
    exec = (sql: string): void => this.#database.exec(sql)
    prepare = (sql: string): unknown => this.#database.prepare(sql)
    close = (): void => this.#database.close()
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ DatabaseSync: OlderDatabase } as never)
  onTestFinished(() => void vi.restoreAllMocks())
  const store = sqliteStore(newFile())
  // No value may be null in the table.
  await expect(store.set('key', null as never, null)).rejects.toThrow(/constraint/)
  await store.set('key', 'value', null)
  expect(await store.get('key')).toMatchObject({ value: 'value' })
  await store.close()
})

test('touches no file before its first use', () => {
  const file = newFile()
  sqliteStore(file)
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
})

// Promise: stores/conformance
// They wait for values and claims to expire: run concurrently, that takes seconds.
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

// Promise: companion/bounded-maps
test('the memory store keeps ten thousand values, and drops the one used longest ago', async () => {
  const store = memoryStore()
  for (let at = 0; at <= 10_000; at++) {
    await store.set(`refused:${at}`, '{}', 300_000)
    await store.get('refused:0')
  }
  expect(await store.get('refused:0')).not.toBeNull()
  expect(await store.get('refused:1')).toBeNull()
  expect(await store.get('refused:10000')).not.toBeNull()
})
