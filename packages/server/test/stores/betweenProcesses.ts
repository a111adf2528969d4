/** What a store that several processes share must survive, for SQLite and Postgres. */
import { expect, test } from 'vitest'
import { purchaseOf } from '../../src/stores/conformance/checks.ts'
import type { Store } from '../../src/stores/store.ts'
import { type StoreOf, startStoreProcess } from './storeProcess.ts'

interface SharedStore {
  store: Store
  of: StoreOf
  end(): Promise<void>
}

export function survivesKilledProcesses(open: () => Promise<SharedStore>): void {
  // Promise: match/duplicate
  test('one of two processes settles each of a hundred purchases', async () => {
    const { store, of, end } = await open()
    const processes = await Promise.all([startStoreProcess(of), startStoreProcess(of)])
    const begun = Array.from({ length: 100 }, (_, index) =>
      purchaseOf({ shopper: { customId: `shopper-${index}` } }),
    )
    for (const purchase of begun) await store.purchases.begin(purchase)
    const ids = begun.map(({ id }) => id)
    const answers = (await Promise.all(
      processes.map((one, index) =>
        one.run({ do: 'claimPurchases', ids, orderId: `order of process ${index}` }),
      ),
    )) as string[][]
    for (const process of processes) await process.kill()
    expect(answers[0]).toEqual(answers[1])
    const rows = await Promise.all(ids.map((id) => store.purchases.find(id)))
    expect(rows.map((row) => row?.claimedBy)).toEqual(answers[0])
    await end()
  })

  test('a lock whose holder was killed is had again', async () => {
    const { store, of, end } = await open()
    const holder = await startStoreProcess(of)
    await holder.run({ do: 'holdLock', key: 'lock' })
    let isFree = false
    const turn = store.withLock('lock', async () => {
      isFree = true
    })
    expect(isFree).toBe(false)
    await holder.kill()
    await turn
    expect(isFree).toBe(true)
    await end()
  })
}

/** The shop's own connection, with a table of deliveries. */
interface Shop {
  connection: unknown
  run(sql: string): Promise<unknown>
  count(): Promise<number>
}

/** A delivery and its record are written together: a transaction that is rolled back leaves neither. */
export async function exactlyOnce({ handled }: Store, { connection, run, count }: Shop): Promise<void> {
  const deliver = async (end: 'COMMIT' | 'ROLLBACK'): Promise<boolean | undefined> => {
    await run('BEGIN')
    const isNew = await handled.addWithin?.(connection, {
      orderId: 'order-1',
      type: 'order_complete',
      purchaseId: null,
    })
    if (isNew) await run(`INSERT INTO deliveries VALUES ('order-1')`)
    await run(end)
    return isNew
  }
  expect(await deliver('ROLLBACK')).toBe(true)
  expect(await handled.has('order-1', 'order_complete')).toBe(false)
  expect(await deliver('COMMIT')).toBe(true)
  expect(await handled.has('order-1', 'order_complete')).toBe(true)
  expect(await deliver('COMMIT')).toBe(false)
  expect(await count()).toBe(1)
}
