// Promise: sandbox/snapshots
/** Snapshots restore the whole state any number of times. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { snapshotsKept } from '../src/state/snapshots.ts'
import type { TestSandbox } from '../src/testing/index.ts'
import { serviceOf, test } from './support/service.ts'

/** Everything that the console shows, except the current time and tokens, which a restore leaves alone. */
async function everything(sandbox: TestSandbox): Promise<unknown> {
  const body = await serviceOf(sandbox).read<Record<string, unknown>>('state')
  return { ...body, now: null, tokens: null, requests: null, limits: await sandbox.limits.get() }
}

async function change(sandbox: TestSandbox): Promise<void> {
  await sandbox.buy({ email: 'ada@example.com' })
  await sandbox.buy({ email: 'grace@example.com', card_number: '4000 0000 0000 4004' })
  await sandbox.switches.set({ coop: 'same-origin', tokenOpens: 'ownOrders' })
  await sandbox.faults.clear()
  await sandbox.faults.set({ operation: '*', kind: 'status', status: 500 })
  await sandbox.webhooks.clear()
  await sandbox.webhooks.add('http://127.0.0.1:9/')
  const none = { crypto: '0', digital_goods: '0' }
  await sandbox.limits.set({ low: none, full: none })
  await sandbox.clock.advance('400 days')
}

test.for(['in memory', 'on disk'])(
  '%s, a restore brings back each part of the state, any number of times',
  async (where, { start, folder, receiver }) => {
    const db = where === 'on disk' ? join(folder, 'shop.db') : undefined
    const sandbox = await start({ db })
    await sandbox.buy({ params: { product_id: 'club-monthly', custom_id: 'purchase-1' } })
    await sandbox.clock.advance('31 days')
    await sandbox.switches.set({ lookup: 'any' })
    const fault = await sandbox.faults.set({ operation: 'getTransaction', kind: 'reset', count: 3 })
    await sandbox.webhooks.add(receiver.url)
    const before = await everything(sandbox)
    const snapshot = await sandbox.snapshot()
    expect(await everything(sandbox)).toEqual(before)

    for (let time = 0; time < 2; time++) {
      await change(sandbox)
      expect(await everything(sandbox)).not.toEqual(before)
      await sandbox.restore(snapshot)
      expect(await everything(sandbox)).toEqual(before)
      expect(await sandbox.requests.list()).toEqual([])
    }
    await sandbox.faults.remove(fault.id)
    await sandbox.clock.advance('31 days')
    expect(await sandbox.orders()).toHaveLength(3)
    await sandbox.close()

    if (!db) return
    const again = await start({ db })
    expect(await again.orders()).toHaveLength(3)
    await expect(again.restore(snapshot)).rejects.toThrow('There is no such snapshot')
  },
)

test('keys and tokens stay, including those newer than the snapshot', async ({ sandbox, service }) => {
  const older = await service.token()
  const snapshot = await sandbox.snapshot()
  const newer = await service.token()
  await sandbox.restore(snapshot)
  for (const accessToken of [older, newer])
    expect((await service.getOrderHistory({ accessToken })).status).toBe(200)
})

test('snapshots survive a reset, so a fixture that resets removes none', async ({ sandbox }) => {
  await sandbox.buy()
  const snapshot = await sandbox.snapshot()
  sandbox.reset()
  expect(await sandbox.orders()).toEqual([])
  await sandbox.restore(snapshot)
  expect(await sandbox.orders()).toHaveLength(1)
})

test('the newest snapshots are kept, each with its own state', async ({ sandbox }) => {
  const snapshots: string[] = []
  for (let taken = 0; taken < snapshotsKept + 2; taken++) {
    snapshots.push(await sandbox.snapshot())
    await sandbox.buy()
  }
  for (const [orders, snapshot] of snapshots.entries()) {
    if (orders < 2) await expect(sandbox.restore(snapshot)).rejects.toThrow('the newest 8 are kept')
    else {
      await sandbox.restore(snapshot)
      expect(await sandbox.orders()).toHaveLength(orders)
    }
  }
})

test('a payment in progress at the snapshot has failed after a restore, and its own page is refused', async ({
  sandbox,
  service,
}) => {
  await sandbox.switches.set({ paymentMs: 2_000 })
  const paying = service.pay(await service.openCheckout())
  await expect.poll(() => sandbox.orders()).toHaveLength(1)
  const snapshot = await sandbox.snapshot()
  await sandbox.restore(snapshot)
  expect(await sandbox.orders()).toMatchObject([{ type: 'order_failed' }])
  expect(await paying).toMatchObject({ status: 409, body: { error: true } })
  const [shopper] = await sandbox.users()
  expect(shopper?.limits).toMatchObject({ digital_goods_spending: '0.00' })
})

test('webhooks pending at the snapshot are sent immediately after a restore', async ({ start, receiver }) => {
  receiver.answer = () => 503
  const sandbox = await start({ webhookRetryMs: 600_000 })
  await sandbox.webhooks.add(receiver.url)
  await sandbox.buy()
  const tries = async () =>
    new Set((await sandbox.webhooks.deliveries()).map(({ status, attempts }) => `${status} ${attempts}`))
  await expect.poll(tries).toEqual(new Set(['pending 1']))
  const snapshot = await sandbox.snapshot()
  receiver.answer = () => 200
  await sandbox.restore(snapshot)
  await expect.poll(tries).toEqual(new Set(['delivered 2']))
})
