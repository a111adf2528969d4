// Promise: sandbox/subscriptions
/** Subscriptions over time, moved by the sandbox's clock. */
import { describe, expect } from 'vitest'
import { testWithSandbox } from '../src/testing/vitest.ts'
import { must, type Service, serviceOf } from './support/service.ts'

const start = new Date('2027-01-31T12:00:00.000Z')
const test = testWithSandbox({ startAt: start }).extend<{ service: Service }>({
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

const until = (service: Service, now: string): Promise<unknown> => must(service.control('clock', { now }))

/** The sandbox’s clock runs on from noon. */
const noonOf = (date: string): unknown => expect.stringMatching(`^${date}T12:0`)

const day = (date: string): string => date.slice(0, 10)

const orderTypes = async (service: Service): Promise<string[]> => {
  const { body } = await service.control<{ type: string }[]>('orders', undefined, 'GET')
  return body.map(({ type }) => type)
}

describe('a subscription', () => {
  test('is renewed by a charge on the day of the month that it began', async ({ service }) => {
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
    expect(await orderTypes(service)).toHaveLength(14)
  })

  test('that is yearly is renewed each year', async ({ service }) => {
    await service.buy({ product_id: 'club-yearly' })
    await until(service, '2029-02-01T00:00:00Z')
    const subscription = await must(service.getSubscription({ product_id: 'club-yearly' }))
    expect(subscription).toMatchObject({
      last_paid_date: noonOf('2029-01-31'),
      next_paid_date: noonOf('2030-01-31'),
      interval_time: 'yearly',
    })
  })

  test('has an order for each renewal, with what the first one bought', async ({ service }) => {
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
  })

  test('whose card starts declining fails to be paid, is tried on three more days, and expires', async ({
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
    expect(await orderTypes(service)).toEqual(['order_failed', 'order_complete'])
    await until(service, '2027-03-04T00:00:00Z')
    expect(await read(service)).toMatchObject({
      status: 3,
      failed_to_paid: true,
      next_paid: false,
      expire_date: noonOf('2027-03-03'),
    })
    await until(service, '2027-09-01T00:00:00Z')
    expect(await orderTypes(service)).toHaveLength(5)
  })

  test('that is cancelled stays until the end of what was paid, then expires, and is not charged again', async ({
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
    expect(await orderTypes(service)).toEqual(['order_complete'])
  })

  test('spends the shopper’s limit with each renewal, and fails when full KYC is needed', async ({
    service,
  }) => {
    await must(
      service.control(
        'limits',
        { low: { crypto: '0', digital_goods: '10' }, full: { crypto: '0', digital_goods: '20' } },
        'PUT',
      ),
    )
    await service.buy({ product_id: 'club-monthly' })
    await until(service, '2027-03-30T00:00:00Z')
    expect(await read(service)).toMatchObject({ failed_to_paid: false })
    await until(service, '2027-04-01T00:00:00Z')
    expect(await read(service)).toMatchObject({ failed_to_paid: true })
    const [order] = (await service.getOrderHistory({ accessToken: await service.token() })).body
    expect(order).toMatchObject({ type: 'order_failed', fail_reason: expect.stringContaining('full KYC') })
    const { data } = await must(
      service.fetchUserDetails({ api_key: service.apiKey, email: 'shopper@example.com' }),
    )
    expect(data.data.limits).toMatchObject({
      digital_goods_spending: '9.98',
      digital_goods_remaining: '0.02',
    })
  })

  test('that is paid on a retry renews again on the day that it began', async ({ service }) => {
    const limits = (digital_goods: string): unknown => {
      const amounts = { crypto: '0', digital_goods }
      return { low: amounts, full: amounts }
    }
    await must(service.control('limits', limits('5'), 'PUT'))
    await service.buy({ product_id: 'club-monthly' })
    await until(service, '2027-03-01T00:00:00Z')
    expect(await read(service)).toMatchObject({ failed_to_paid: true, last_paid_date: noonOf('2027-01-31') })
    await must(service.control('limits', limits('100'), 'PUT'))
    await until(service, '2027-03-02T00:00:00Z')
    expect(await read(service)).toMatchObject({
      status: 1,
      failed_to_paid: false,
      next_paid: true,
      last_paid_date: noonOf('2027-03-01'),
      next_paid_date: noonOf('2027-03-31'),
      expire_date: noonOf('2027-04-03'),
    })
    expect(await orderTypes(service)).toEqual(['order_complete', 'order_failed', 'order_complete'])
    // The next failure has three retries of its own.
    await must(service.control('limits', limits('0'), 'PUT'))
    await until(service, '2027-04-03T11:00:00Z')
    expect(await read(service)).toMatchObject({ status: 1, failed_to_paid: true })
    await until(service, '2027-04-04T00:00:00Z')
    expect(await read(service)).toMatchObject({ status: 3 })
    expect(await orderTypes(service)).toHaveLength(7)
  })

  test('that is cancelled while a payment fails ends at once, and is not tried again', async ({
    service,
  }) => {
    const checkout = await service.openCheckout({ product_id: 'club-monthly' })
    await must(service.pay(checkout, { card_number: renewalDecliningCard }))
    await until(service, '2027-03-01T00:00:00Z')
    await must(service.act(checkout.id, 'cancel-subscription', {}))
    await until(service, '2027-03-01T00:10:00Z')
    expect(await read(service)).toMatchObject({ status: 3, expire_date: expect.stringMatching('2027-03-01') })
    await must(service.act(checkout.id, 'cancel-subscription', {}))
    await until(service, '2027-06-01T00:00:00Z')
    expect(await read(service)).toMatchObject({ status: 3 })
    expect(await orderTypes(service)).toEqual(['order_failed', 'order_complete'])
  })

  test('whose renewal is declined leaves the shopper’s limit as it was', async ({ service }) => {
    await service.buy({ product_id: 'club-monthly' }, { card_number: renewalDecliningCard })
    await until(service, '2027-03-01T00:00:00Z')
    const { data } = await must(
      service.fetchUserDetails({ api_key: service.apiKey, email: 'shopper@example.com' }),
    )
    expect(data.data.limits).toMatchObject({ digital_goods_spending: '4.99' })
    const [order] = (await service.getOrderHistory({ accessToken: await service.token() })).body
    expect(order).toMatchObject({ type: 'order_failed', fail_reason: '4004', hash: '', transaction_id: '' })
  })
})

describe('the clock', () => {
  test('starts where it is told to, and goes back there with a reset', async ({ service, sandbox }) => {
    const now = async (): Promise<string> =>
      (await service.control<{ now: string }>('clock', undefined, 'GET')).body.now
    expect(day(await now())).toBe('2027-01-31')
    await service.advance(100)
    expect(day(await now())).toBe('2027-05-11')
    sandbox.reset()
    expect(day(await now())).toBe('2027-01-31')
  })

  test('only goes forwards, at most ten years at once', async ({ service }) => {
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
})
