/** Requirements of each store besides the suite: limits, and what databases that processes and a shop's own tables share must survive. */
import { expect, test } from 'vitest'
import { type IdempotencyRecord, KEEP_HANDLED_MS, type Store } from '../../src/stores/store.ts'
import { purchaseOf } from '../../testing/checks.ts'
import { DEAD_LETTERS, type StoresUnderTest } from '../../testing/index.ts'
import { type StoreOf, startStoreProcess } from './storeProcess.ts'

/** The shop's own connection, with a table of deliveries. */
interface Shop {
  connection: unknown
  run(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export interface Shared extends StoresUnderTest {
  of: StoreOf
  /** Prefix of the table names. */
  prefix: string
  openShop(): Promise<Shop>
}

const DAY_MS = 86_400_000

export const recordOf = (orderId: string, type = 'order_complete'): IdempotencyRecord => ({
  orderId,
  type,
  purchaseId: null,
})

// Promise: stores/dead-letters
export async function boundsDeadLetters(
  { jobs }: Store,
  fill: (count: number) => Promise<void>,
): Promise<void> {
  await fill(DEAD_LETTERS + 1)
  await jobs.add('newest', 'trusted')
  const [job] = await jobs.claim('trusted', 1, 60_000)
  if (job) await jobs.bury(job, 'why')
  const keys = (await jobs.deadLetters(2 * DEAD_LETTERS)).map(({ key }) => key)
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([DEAD_LETTERS, 'newest', 'job-3'])
  expect(await jobs.redrive()).toBe(DEAD_LETTERS)
}

export function keepsItsWord(open: () => Promise<Shared>): void {
  test('a lock becomes available again after its holder was killed', async () => {
    const { one, of, end } = await open()
    const holder = await startStoreProcess(of)
    await holder.run({ do: 'holdLock', key: 'lock' })
    let isFree = false
    const turn = one.withLock('lock', async () => {
      isFree = true
    })
    expect(isFree).toBe(false)
    await holder.kill()
    await turn
    expect(isFree).toBe(true)
    await end()
  })

  test('two instances create the tables at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { one, other, end } = await open()
      const both = [one, other]
      const adds = await Promise.all(both.map(({ handled }) => handled.add(recordOf('order-1'))))
      expect(adds.filter(Boolean)).toHaveLength(1)
      expect(await Promise.all(both.map(({ jobs }) => jobs.add('job', 'trusted')))).toEqual([true, true])
      expect(await one.jobs.claim('trusted', 5, 1_000)).toHaveLength(1)
      await end()
    }
  })

  test('a delivery and its record are both written by the transaction of the shop, or neither', async () => {
    const { one, prefix, openShop, end } = await open()
    const { connection, run, close } = await openShop()
    const isHandled = (): Promise<boolean> => one.handled.has('order-1', 'order_complete')
    expect(await isHandled()).toBe(false)
    await run(`CREATE TABLE ${prefix}deliveries (order_id text)`)
    async function deliver(ending: 'COMMIT' | 'ROLLBACK'): Promise<boolean | undefined> {
      await run('BEGIN')
      const isNew = await one.handled.addWithin?.(connection, recordOf('order-1'))
      if (isNew) await run(`INSERT INTO ${prefix}deliveries VALUES ('order-1')`)
      await run(ending)
      return isNew
    }
    expect([await deliver('ROLLBACK'), await isHandled()]).toEqual([true, false])
    expect([await deliver('COMMIT'), await isHandled()]).toEqual([true, true])
    expect(await deliver('COMMIT')).toBe(false)
    expect(await run(`SELECT order_id FROM ${prefix}deliveries`)).toHaveLength(1)
    await close()
    await end()
  })

  test('the oldest dead letters are removed', async () => {
    const { one, prefix, openShop, end } = await open()
    const { run, close } = await openShop()
    await boundsDeadLetters(one, async (count) => {
      await one.jobs.deadLetters(1)
      await run(`WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
        INSERT INTO ${prefix}dead_letters (key, reason, attempts, died_at) SELECT 'job-' || number, 'why', 1, 0 FROM numbers`)
    })
    await close()
    await end()
  })

  test('a settled purchase is kept for 400 days from its last renewal', async () => {
    const { one, prefix, openShop, end } = await open()
    const { run, close } = await openShop()
    const purchase = purchaseOf()
    await one.purchases.begin(purchase)
    await one.purchases.claim(purchase.id, 'order-1')
    const isKeptAfter = async (days: number): Promise<boolean> => {
      await run(`UPDATE ${prefix}purchases SET kept_until = kept_until - ${days * DAY_MS}`)
      return (await one.purchases.find(purchase.id)) !== null
    }
    expect(await isKeptAfter(399)).toBe(true)
    await one.purchases.renew(purchase.id, 'order-2', 1)
    expect([await isKeptAfter(399), await isKeptAfter(2)]).toEqual([true, false])
    expect(await one.sweep(100, KEEP_HANDLED_MS)).toBe(1)
    await close()
    await end()
  })

  test('expired values, and locks that killed processes left, are swept too', async () => {
    const { one, prefix, openShop, end } = await open()
    const { run, close } = await openShop()
    await one.set('kept', 'value', null)
    await run(`INSERT INTO ${prefix}values (key, value, ends_at) VALUES ('old', 'value', 1)`)
    // A holder that was stalled for a moment may still renew its lock.
    await run(
      `INSERT INTO ${prefix}values VALUES ('lock:left', 'killed', 1), ('lock:held', 'alive', ${Date.now() + DAY_MS}), ('lock:late', 'alive', ${Date.now() - 60_000})`,
    )
    await one.set('new', 'value', 60_000)
    expect(await one.sweep(1, KEEP_HANDLED_MS)).toBe(1)
    expect(await one.sweep(100, KEEP_HANDLED_MS)).toBe(1)
    const keys = (await run(`SELECT key FROM ${prefix}values ORDER BY key`)).map(({ key }) => key)
    expect(keys).toEqual(['kept', 'lock:held', 'lock:late', 'new'])
    expect((await one.get('lock:late'))?.value).toBeUndefined()
    expect(await one.tryLock('held', async () => 'mine')).toBeNull()
    expect(await one.tryLock('late', async () => 'mine')).toBe('mine')
    await close()
    await end()
  })
}
