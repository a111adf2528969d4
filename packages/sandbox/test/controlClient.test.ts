/** The typed control client, as a merchant's tests use it. */
import { expect } from 'vitest'
import { testWithSandbox } from '../src/testing/vitest.ts'
import { startReceiver } from './support/receiver.ts'
import { serviceOf } from './support/service.ts'

const test = testWithSandbox({ startAt: new Date('2030-01-31T00:00:00Z') })
const purchaseId = 'purchase-0123456789'

test('the clock advances by a duration and to a time', async ({ sandbox }) => {
  // It goes on meanwhile, as long as the calls take.
  const started = performance.now()
  const expectAt = (clock: Date, time: number): void => {
    expect(clock.getTime()).toBeGreaterThanOrEqual(time)
    expect(clock.getTime()).toBeLessThanOrEqual(time + Math.ceil(performance.now() - started) + 1)
  }
  const before = await sandbox.clock.now()
  expectAt(await sandbox.clock.advance('31 days'), before.getTime() + 31 * 86_400_000)
  const later = new Date('2031-01-01T00:00:00Z')
  expectAt(await sandbox.clock.advanceTo(later), later.getTime())
})

test('what is no duration is refused before it is sent', async ({ sandbox }) => {
  // @ts-expect-error No such unit.
  await expect(sandbox.clock.advance('3 moons')).rejects.toThrow('"3 moons" is no duration')
  await expect(sandbox.clock.advance('-1 days')).rejects.toThrow('is no duration')
})

test('a subscription renews on the way', async ({ sandbox }) => {
  await sandbox.buy({ params: { product_id: 'club-monthly' } })
  await sandbox.clock.advance('31 days')
  expect(await sandbox.orders()).toHaveLength(2)
})

test.for([
  ['in its return address', { redirect_url: `https://shop.example/return/${purchaseId}` }],
  [
    'in the address for failed orders',
    { fail_redirect_url: `https://shop.example/return/${purchaseId}/failed` },
  ],
  ['as its custom_id', { custom_id: purchaseId }],
] as const)(
  'orderOf finds an order that has the id %s, whatever an order shows',
  async ([, params], { sandbox }) => {
    const { id } = await sandbox.buy({ params })
    await sandbox.buy({ params: { redirect_url: 'https://shop.example/return/purchase-9876543210' } })
    await sandbox.switches.set({ returnAddresses: 'absent' })
    expect(await sandbox.orderOf(purchaseId)).toMatchObject({ id })
    expect(await sandbox.orderOf('purchase-of-nobody')).toBeUndefined()
  },
)

test('orderOf gives the newest try of a purchase', async ({ sandbox }) => {
  const params = { custom_id: purchaseId }
  await sandbox.buy({ params, card_number: '4000 0000 0000 4004' })
  expect(await sandbox.orderOf(purchaseId)).toMatchObject({ type: 'order_failed' })
  await sandbox.buy({ params })
  expect(await sandbox.orderOf(purchaseId)).toMatchObject({ type: 'order_complete' })
})

test('faults, switches, limits, requests and users are set and read', async ({ sandbox }) => {
  const fault = await sandbox.faults.set({ operation: 'createAccessToken', kind: 'status', status: 503 })
  expect((await serviceOf(sandbox).createAccessToken()).status).toBe(503)
  expect(await sandbox.requests.list()).toMatchObject([{ operation: 'createAccessToken', status: 503 }])
  await sandbox.requests.clear()
  expect(await sandbox.requests.list()).toEqual([])
  await sandbox.faults.remove(fault.id)
  expect(await sandbox.faults.list()).toEqual([])
  await sandbox.switches.set({ lookup: 'any' })
  expect((await sandbox.switches.list()).find(({ name }) => name === 'lookup')?.value).toBe('any')
  const limits = await sandbox.limits.get()
  await sandbox.limits.set({ ...limits, low: { crypto: '1.00', digital_goods: '0' } })
  await expect(sandbox.buy()).rejects.toThrow('full KYC is required')
  await sandbox.limits.set(limits)
  await sandbox.buy({ email: 'ada@example.com' })
  expect((await sandbox.users()).map(({ email }) => email)).toEqual([
    'ada@example.com',
    'shopper@example.com',
  ])
})

test('webhooks are sent, forged and sent again', async ({ sandbox }) => {
  const receiver = await startReceiver()
  const { id } = await sandbox.webhooks.add(receiver.url)
  const order = await sandbox.buy()
  const delivered = async () =>
    (await sandbox.webhooks.deliveries()).map(({ status, order_id }) => [status, order_id])
  await expect.poll(delivered).toContainEqual(['delivered', order.id])
  const [forged] = await sandbox.webhooks.forge({ event: 'order.updated', data: { order_id: 'none' } })
  await sandbox.webhooks.redeliver(forged?.id ?? '')
  await sandbox.webhooks.remove(id)
  await expect(sandbox.webhooks.forge({})).rejects.toThrow('url: is required')
  await receiver.close()
})
