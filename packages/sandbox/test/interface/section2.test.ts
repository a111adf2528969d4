/** Section 2 of the interface: resources and their fields. */
import { describe, expect } from 'vitest'
import type { OrderRecord } from '../../src/service/orderRecord.ts'
import { must, type Service, test, validUser } from '../support/service.ts'

// Promise: interface/2.1
describe('2.1 access token', () => {
  test('2.1 accessToken is a string, created by the refresh operation and passed as a query parameter', async ({
    service,
  }) => {
    const { accessToken } = await must(service.createAccessToken())
    expect(accessToken).toEqual(expect.any(String))
    expect((await service.getOrderHistory({ accessToken })).status).toBe(200)
  })
})

const params = {
  custom_id: 'customer-7',
  product_id: 'btc',
  base: 'BTC',
  quote: 'USD',
  quote_amount: '64.00',
  address: 'bc1qexample0000000000000000000000000000000',
  city: 'Oakland',
  street: '1 Lake Street',
  postal_code: '94601',
  utm_source: 'newsletter',
  clickID: 'click-1',
  campaignID: 'campaign-1',
  redirect_url: 'https://shop.example/thanks',
  fail_redirect_url: 'https://shop.example/sorry',
  redirect_page: 'new',
}

const anyText = expect.stringMatching(/./)

/** One order of crypto by a known user, and what each field of it must be. */
const orderFields: [title: string, field: keyof OrderRecord, value: unknown][] = [
  ['2.2 id is the order id', 'id', expect.stringMatching(/^[0-9A-Z]{26}$/)],
  ['2.2 custom_id is the business’s own identifier', 'custom_id', 'customer-7'],
  ['2.2 user_id is the user associated with the transaction', 'user_id', expect.stringMatching(/^.{26}$/)],
  ['2.2 product_id is the associated product', 'product_id', 'btc'],
  ['2.2 type is the order’s status', 'type', 'order_complete'],
  ['2.2 base is the cryptocurrency used', 'base', 'BTC'],
  ['2.2 base_amount is the amount of cryptocurrency', 'base_amount', '0.001'],
  ['2.2 quote is the fiat currency used', 'quote', 'USD'],
  ['2.2 quote_amount is the amount of fiat currency', 'quote_amount', '64.00'],
  ['2.2 address is the wallet address used', 'address', params.address],
  [
    '2.2 transaction_id is the blockchain transaction id',
    'transaction_id',
    expect.stringMatching(/^0x[0-9a-f]{64}$/),
  ],
  ['2.2 partner_data is an object', 'partner_data', expect.objectContaining({ address: params.address })],
  ['2.2 full_name is the user’s full name', 'full_name', 'Ada Lovelace'],
  ['2.2 date_of_birth is the user’s date of birth', 'date_of_birth', '1990-02-28'],
  ['2.2 phone is the user’s phone number', 'phone', '+12015550123'],
  ['2.2 email is the user’s e-mail address', 'email', validUser.email],
  ['2.2 state is the user’s state', 'state', 'CA'],
  ['2.2 country is the user’s country', 'country', 'USA'],
  ['2.2 city is the user’s city', 'city', 'Oakland'],
  ['2.2 street is the user’s street', 'street', '1 Lake Street'],
  ['2.2 postal_code is the user’s postal code', 'postal_code', '94601'],
  ['2.2 utm_source is the tracking source', 'utm_source', 'newsletter'],
  ['2.2 clickID is the tracking click id', 'clickID', 'click-1'],
  ['2.2 campaignID is the tracking campaign id', 'campaignID', 'campaign-1'],
  ['2.2 fail_reason is empty while there is no failure', 'fail_reason', ''],
  ['2.2 redirect_url is where to go after success', 'redirect_url', params.redirect_url],
  ['2.2 fail_redirect_url is where to go after failure', 'fail_redirect_url', params.fail_redirect_url],
  ['2.2 redirect_page is how the redirect happens', 'redirect_page', 'new'],
  ['2.2 hash is the hash of the transaction', 'hash', anyText],
]

// Promise: interface/2.2
describe('2.2 order', () => {
  for (const [title, field, value] of orderFields)
    test(title, async ({ service }) => {
      await service.createWidgetUser()
      const { id } = await service.buy(params, { email: validUser.email })
      const order = await must(service.getTransaction({ order_id: id }))
      expect(order[field]).toEqual(value)
    })

  test('2.2 an order has these fields and no others, all strings but partner_data', async ({ service }) => {
    const order = await service.buy()
    expect(Object.keys(order).sort()).toEqual(orderFields.map(([, field]) => field).sort())
    for (const [field, value] of Object.entries(order))
      expect([field, typeof value]).toEqual([field, field === 'partner_data' ? 'object' : 'string'])
  })

  test('2.2 fail_reason is the reason for failure of a failed order', async ({ service }) => {
    const order = await service.buy({}, { card_number: '4000 0000 0000 4004' })
    expect(order).toMatchObject({ type: 'order_failed', fail_reason: '4004' })
  })

  test('2.2 redirect_page is new or self', async ({ service }) => {
    const accessToken = await service.token()
    for (const [redirect_page, target] of Object.entries({ new: '_blank', self: '_self' })) {
      const params = { redirect_page, redirect_url: 'https://shop.example/' }
      const { redirect } = await must(service.pay(await service.openCheckout(params, accessToken)))
      expect(redirect?.target).toBe(target)
    }
    await expect(service.openCheckout({ redirect_page: 'elsewhere' })).rejects.toThrow('redirect_page')
  })
})

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const subscriptionFields: [title: string, field: string, value: unknown][] = [
  ['2.3 user_id is the subscriber’s user id', 'user_id', expect.stringMatching(/^.{26}$/)],
  ['2.3 custom_id is the business’s id for tracking the subscription', 'custom_id', 'customer-7'],
  ['2.3 business_user_id is the business user’s id', 'business_user_id', expect.stringMatching(/^.{26}$/)],
  ['2.3 product_id is the product of the subscription', 'product_id', 'club-monthly'],
  ['2.3 start_date is the start of the subscription', 'start_date', iso],
  ['2.3 last_paid_date is the last successful payment', 'last_paid_date', iso],
  ['2.3 next_paid_date is the next scheduled payment', 'next_paid_date', iso],
  ['2.3 expire_date is the expiry of the subscription', 'expire_date', iso],
  ['2.3 status is a number', 'status', 1],
  ['2.3 failed_to_paid is false while the last payment went through', 'failed_to_paid', false],
  ['2.3 next_paid is true while the subscription is set to renew', 'next_paid', true],
  ['2.3 interval_time is the interval', 'interval_time', 'monthly'],
]

// Promise: interface/2.3
describe('2.3 subscription', () => {
  for (const [title, field, value] of subscriptionFields)
    test(title, async ({ service }) => {
      await service.buy({ product_id: 'club-monthly', custom_id: 'customer-7' })
      const subscription = await must(service.getSubscription({ custom_id: 'customer-7' }))
      expect(subscription[field]).toEqual(value)
    })

  test('2.3 a subscription has these fields and no others', async ({ service }) => {
    await service.buy({ product_id: 'club-monthly', custom_id: 'customer-7' })
    const subscription = await must(service.getSubscription({ custom_id: 'customer-7' }))
    expect(Object.keys(subscription).sort()).toEqual(subscriptionFields.map(([, field]) => field).sort())
  })

  test('2.3 failed_to_paid is true when the last payment attempt failed', async ({ service }) => {
    await service.buy({ product_id: 'club-monthly' }, { card_number: '4000 0000 0000 0341' })
    const { next_paid_date } = await must(service.getSubscription({ product_id: 'club-monthly' }))
    await service.set('clock', { now: next_paid_date })
    const subscription = await must(service.getSubscription({ product_id: 'club-monthly' }))
    expect(subscription).toMatchObject({ failed_to_paid: true, status: 1, next_paid: true })
  })

  test('2.3 next_paid and status tell of a cancellation', async ({ service }) => {
    const checkout = await service.openCheckout({ product_id: 'club-yearly' })
    await must(service.pay(checkout))
    await cancel(service, checkout.id)
    const subscription = await must(service.getSubscription({ product_id: 'club-yearly' }))
    expect(subscription).toMatchObject({ status: 2, next_paid: false, interval_time: 'yearly' })
    expect(subscription.expire_date).toBe(subscription.next_paid_date)
  })
})

async function cancel(service: Service, id: string): Promise<void> {
  await must(service.act(id, 'cancel-subscription', {}))
}

const userFields: [title: string, field: string, value: unknown][] = [
  ['2.4 country is an alpha-3 code', 'country', 'USA'],
  ['2.4 created_at is ISO 8601 with fractional seconds and Z', 'created_at', iso],
  ['2.4 fkyc_status is not initiated at first', 'fkyc_status', 'not initiated'],
  ['2.4 lkyc_status is success at first', 'lkyc_status', 'success'],
  ['2.4 limits is an object', 'limits', expect.any(Object)],
  ['2.4 linked_payment_methods is an array', 'linked_payment_methods', []],
  ['2.4 phone is partly masked', 'phone', '+120******23'],
  ['2.4 phone_country is the alpha-2 country of the phone', 'phone_country', 'US'],
  ['2.4 user_id is the user’s id', 'user_id', expect.stringMatching(/^.{26}$/)],
]

// Promise: interface/2.4
describe('2.4 user', () => {
  for (const [title, field, value] of userFields)
    test(title, async ({ service }) => {
      await service.createWidgetUser()
      const user = await service.user(validUser.email)
      expect(user[field]).toEqual(value)
    })

  test('2.4 a user has these fields and no others', async ({ service }) => {
    await service.createWidgetUser()
    const user = await service.user(validUser.email)
    expect(Object.keys(user).sort()).toEqual(userFields.map(([, field]) => field).sort())
  })

  test('2.4 phone_country is the phone’s, not the country of residence', async ({ service }) => {
    await service.createWidgetUser({ api_key: service.apiKey, ...validUser, phone: '+447400123456' })
    const user = await service.user(validUser.email)
    expect(user).toMatchObject({ country: 'USA', phone_country: 'GB', phone: '+447*******56' })
  })

  test('2.4 a linked payment method has a method, bank_card, and its cards: brand, partly masked card_id, created_at and last_digits', async ({
    service,
  }) => {
    for (const card_number of ['4242 4242 4242 4242', '4242 4242 4242 4242', '4000 0000 0000 4004'])
      await service.buy({}, { card_number })
    const card = {
      brand: 'visa',
      card_id: expect.stringMatching(/^\w{4}\*+\w{4}$/),
      created_at: iso,
      last_digits: '4242',
    }
    expect((await service.user()).linked_payment_methods).toEqual([{ method: 'bank_card', cards: [card] }])
  })
})

// Promise: interface/2.5
describe('2.5 limits', () => {
  const before = {
    crypto_remaining: '150.00',
    crypto_spending: '0.00',
    digital_goods_remaining: '500.00',
    digital_goods_spending: '0.00',
  }
  test('2.5 digital_goods_remaining and digital_goods_spending are decimal amounts', async ({ service }) => {
    await service.buy({ product_id: 'gold-100', quote_amount: '0.105' })
    const spent = { digital_goods_remaining: '499.895', digital_goods_spending: '0.105' }
    expect((await service.user()).limits).toEqual({ ...before, ...spent })
  })

  test('2.5 crypto_remaining and crypto_spending are decimal amounts', async ({ service }) => {
    await service.buy({ product_id: 'eth', quote_amount: '149.99' })
    const spent = { crypto_remaining: '0.01', crypto_spending: '149.99' }
    expect((await service.user()).limits).toEqual({ ...before, ...spent })
  })
})

// Promise: interface/2.6
describe('2.6 country and state codes', () => {
  /** How creating a user is answered with each of these values. */
  const statusesOf = (service: Service, field: string, values: string[]): Promise<number[]> =>
    Promise.all(
      values.map(async (value) => {
        const user = { api_key: service.apiKey, ...validUser, email: `${value}@example.com`, [field]: value }
        return (await service.createWidgetUser(user)).status
      }),
    )

  test('2.6 country of residence is an alpha-3 code on the service’s list', async ({ service }) => {
    const values = ['USA', 'GBR', 'JPN', 'BRA', 'US', 'XKX', 'usa']
    const statuses = await statusesOf(service, 'country_of_residence', values)
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400, 400])
  })

  test('2.6 state of residence is an alpha-2 US state code on the service’s list', async ({ service }) => {
    const values = ['CA', 'NY', 'DC', 'PR', 'XX', 'ON', 'Texas']
    const statuses = await statusesOf(service, 'state_of_residence', values)
    expect(statuses).toEqual([200, 200, 200, 200, 400, 400, 400])
  })
})
