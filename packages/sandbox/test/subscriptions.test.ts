// Promise: sandbox/subscriptions
/** Subscriptions over time, driven by the sandbox's clock. */
import { expect, onTestFinished, vi } from 'vitest'
import { testWithSandbox } from '../src/testing/vitest.ts'
import { must, type Service, serviceOf } from './support/service.ts'

const test = testWithSandbox({ startAt: new Date('2027-01-31T12:00:00.000Z') }).extend<{ service: Service }>({
  service: async ({ sandbox }, use) => use(serviceOf(sandbox)),
})

const renewalDecliningCard = '4000 0000 0000 0341'

interface Subscription {
  status: number
  last_paid_date: string
  next_paid_date: string
  expire_date: string
  failed_to_paid: boolean
  next_paid: boolean
}

const read = (service: Service): Promise<Subscription> =>
  must(service.getSubscription<Subscription>({ product_id: 'club-monthly' }))

const until = (service: Service, now: string): Promise<unknown> => service.set('clock', { now })

const setLimits = (service: Service, low: string, full = low): Promise<unknown> => {
  const limits = (digital_goods: string) => ({ crypto: '0', digital_goods })
  return service.set('limits', { low: limits(low), full: limits(full) }, 'PUT')
}

const newestOrder = async (service: Service): Promise<unknown> =>
  (await service.getOrderHistory({ accessToken: await service.token() })).body[0]

/** The sandbox’s clock keeps running from noon. */
const noonOf = (date: string): unknown => expect.stringMatching(`^${date}T12:0`)

const day = (date: string): string => date.slice(0, 10)

test('a subscription is renewed by a charge on the day of the month it began', async ({ service }) => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  const dates: string[] = []
  for (const now of ['2027-03-01', '2027-04-01', '2027-05-01', '2028-03-01']) {
    await until(service, `${now}T00:00:00Z`)
    const { last_paid_date, next_paid_date } = await read(service)
    dates.push(`${day(last_paid_date)} ${day(next_paid_date)}`)
  }
  expect(dates).toEqual([
    '2027-02-28 2027-03-31',
    '2027-03-31 2027-04-30',
    '2027-04-30 2027-05-31',
    '2028-02-29 2028-03-31',
  ])
  expect(await service.orderTypes()).toHaveLength(14)
})

test('a daily subscription is renewed each day', async ({ service }) => {
  await service.buy({ product_id: 'club-daily' })
  await until(service, '2027-02-03T13:00:00Z')
  expect(await service.orderTypes()).toHaveLength(4)
  expect(await must(service.getSubscription({ product_id: 'club-daily' }))).toMatchObject({
    last_paid_date: noonOf('2027-02-03'),
    next_paid_date: noonOf('2027-02-04'),
  })
})

test('a yearly subscription is renewed each year', async ({ service }) => {
  await service.buy({ product_id: 'club-yearly' })
  await until(service, '2029-02-01T00:00:00Z')
  const subscription = await must(service.getSubscription({ product_id: 'club-yearly' }))
  expect(subscription).toMatchObject({
    last_paid_date: noonOf('2029-01-31'),
    next_paid_date: noonOf('2030-01-31'),
    interval_time: 'yearly',
  })
})

test('each renewal has an order with the content of the first one', async ({ service }) => {
  const first = await service.buy({
    product_id: 'club-monthly',
    custom_id: 'c-1',
    redirect_url: 'https://shop.example/',
  })
  await until(service, '2027-03-01T00:00:00Z')
  const [renewal] = (await service.getOrderHistory({ accessToken: await service.token() })).body
  expect(renewal).toMatchObject({
    custom_id: 'c-1',
    user_id: first.user_id,
    quote_amount: '4.99',
    redirect_url: '',
  })
  expect(renewal?.id).not.toBe(first.id)
  expect(renewal?.hash).not.toBe(first.hash)
  const { orders } = await must(service.control<{ orders: { at: string }[] }>('state', undefined, 'GET'))
  expect(orders.map(({ at }) => day(at))).toEqual(['2027-02-28', '2027-01-31'])
})

test('a subscription whose card starts declining is retried on three more days, and expires', async ({
  service,
}) => {
  await service.buy({ product_id: 'club-monthly' }, { card_number: renewalDecliningCard })
  expect(await read(service)).toMatchObject({ status: 1, failed_to_paid: false })
  await until(service, '2027-03-01T00:00:00Z')
  expect(await read(service)).toMatchObject({
    status: 1,
    failed_to_paid: true,
    next_paid: true,
    last_paid_date: noonOf('2027-01-31'),
    next_paid_date: noonOf('2027-03-01'),
  })
  expect(await service.orderTypes()).toEqual(['order_failed', 'order_complete'])
  const failed = { type: 'order_failed', fail_reason: '4004', hash: '', transaction_id: '' }
  expect(await newestOrder(service)).toMatchObject(failed)
  expect((await service.user()).limits).toMatchObject({ digital_goods_spending: '4.99' })
  await until(service, '2027-03-04T00:00:00Z')
  expect(await read(service)).toMatchObject({
    status: 3,
    failed_to_paid: true,
    next_paid: false,
    expire_date: noonOf('2027-03-03'),
  })
  await until(service, '2027-09-01T00:00:00Z')
  expect(await service.orderTypes()).toHaveLength(5)
})

test('a cancelled subscription stays until the end of the paid period, then expires, and is not charged again', async ({
  service,
}) => {
  const checkout = await service.openCheckout({ product_id: 'club-monthly' })
  await must(service.pay(checkout))
  const cancelled = await must(service.act(checkout.id, 'cancel-subscription', {}))
  expect(cancelled.subscription?.status).toBe('canceled')
  expect(await read(service)).toMatchObject({
    status: 2,
    next_paid: false,
    expire_date: noonOf('2027-02-28'),
  })
  await until(service, '2027-06-01T00:00:00Z')
  expect(await read(service)).toMatchObject({ status: 3, next_paid: false, failed_to_paid: false })
  expect(await service.orderTypes()).toEqual(['order_complete'])
})

test('each renewal spends the shopper’s limit, and fails when full KYC is required', async ({ service }) => {
  await setLimits(service, '10', '20')
  await service.buy({ product_id: 'club-monthly' })
  await until(service, '2027-03-30T00:00:00Z')
  expect(await read(service)).toMatchObject({ failed_to_paid: false })
  await until(service, '2027-04-01T00:00:00Z')
  expect(await read(service)).toMatchObject({ failed_to_paid: true })
  expect(await newestOrder(service)).toMatchObject({
    type: 'order_failed',
    fail_reason: expect.stringContaining('full KYC'),
  })
  expect((await service.user()).limits).toMatchObject({
    digital_goods_spending: '9.98',
    digital_goods_remaining: '0.02',
  })
})

test('a subscription that is paid on a retry renews again on the day it began', async ({ service }) => {
  await setLimits(service, '5')
  await service.buy({ product_id: 'club-monthly' })
  await until(service, '2027-03-01T00:00:00Z')
  expect(await read(service)).toMatchObject({ failed_to_paid: true, last_paid_date: noonOf('2027-01-31') })
  await setLimits(service, '100')
  await until(service, '2027-03-02T00:00:00Z')
  expect(await read(service)).toMatchObject({
    status: 1,
    failed_to_paid: false,
    next_paid: true,
    last_paid_date: noonOf('2027-03-01'),
    next_paid_date: noonOf('2027-03-31'),
    expire_date: noonOf('2027-04-03'),
  })
  expect(await service.orderTypes()).toEqual(['order_complete', 'order_failed', 'order_complete'])
  // The next failure gets three new retries.
  await setLimits(service, '0')
  await until(service, '2027-04-03T11:00:00Z')
  expect(await read(service)).toMatchObject({ status: 1, failed_to_paid: true })
  await until(service, '2027-04-04T00:00:00Z')
  expect(await read(service)).toMatchObject({ status: 3 })
  expect(await service.orderTypes()).toHaveLength(7)
})

test('a subscription that is cancelled while a payment fails ends immediately, and is not retried', async ({
  service,
}) => {
  const checkout = await service.openCheckout({ product_id: 'club-monthly' })
  await must(service.pay(checkout, { card_number: renewalDecliningCard }))
  await until(service, '2027-03-01T00:00:00Z')
  await must(service.act(checkout.id, 'cancel-subscription', {}))
  await until(service, '2027-03-01T00:10:00Z')
  const expired = await read(service)
  expect(expired).toMatchObject({ status: 3, expire_date: expect.stringMatching('2027-03-01') })
  await must(service.act(checkout.id, 'cancel-subscription', {}))
  expect(await read(service)).toEqual(expired)
  await until(service, '2027-06-01T00:00:00Z')
  expect(await read(service)).toMatchObject({ status: 3 })
  expect(await service.orderTypes()).toEqual(['order_failed', 'order_complete'])
})

test('the clock starts at startAt, and returns there with a reset', async ({ service, sandbox }) => {
  const today = async () => day((await sandbox.clock.now()).toISOString())
  expect(await today()).toBe('2027-01-31')
  await service.advance(100)
  expect(await today()).toBe('2027-05-11')
  sandbox.reset()
  expect(await today()).toBe('2027-01-31')
})

test('a reset returns to startAt also after days of real time, and a restore to the time that its snapshot has then', async ({
  sandbox,
}) => {
  const today = async () => day((await sandbox.clock.now()).toISOString())
  const snapshot = await sandbox.snapshot()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 24 * 60 * 60 * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await today()).toBe('2027-02-02')
  sandbox.reset()
  expect(await today()).toBe('2027-01-31')
  await sandbox.restore(snapshot)
  expect(await today()).toBe('2027-02-02')
})

test('the clock only advances, by at most ten years at once', async ({ service }) => {
  for (const [body, field] of [
    [{ now: '2026-01-01T00:00:00Z' }, 'now'],
    [{ now: '2050-01-01T00:00:00Z' }, 'now'],
    [{ now: 'tomorrow' }, 'now'],
    [{ advanceSeconds: -1 }, 'advanceSeconds'],
    [{ advanceSeconds: 1e10 }, 'advanceSeconds'],
    [{}, 'advanceSeconds'],
    [{ days: 3 }, 'days'],
  ] as const)
    expect(await service.control('clock', body)).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining(field) },
    })
})
