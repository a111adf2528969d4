/** Section 2 of the interface: resources and their fields. */
import { expect } from 'vitest'
import { must, test, validUser } from '../support/service.ts'

// Promise: interface/2.1
test('2.1 accessToken is a string, created by the refresh operation and passed as a query parameter', async ({
  service,
}) => {
  const { accessToken } = await must(service.createAccessToken())
  expect(accessToken).toEqual(expect.any(String))
  expect((await service.getOrderHistory({ accessToken })).status).toBe(200)
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

const id = expect.stringMatching(/^[0-9A-Z]{26}$/)
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

// Promise: interface/2.2
test('2.2 an order has these fields and no others, all strings but partner_data', async ({ service }) => {
  await service.createWidgetUser()
  const bought = await service.buy(params, { email: validUser.email })
  const order = await must(service.getTransaction({ order_id: bought.id }))
  expect(order).toEqual({
    ...params,
    id,
    user_id: id,
    type: 'order_complete',
    base_amount: '0.001',
    transaction_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    partner_data: expect.objectContaining({ address: params.address }),
    full_name: 'Ada Lovelace',
    date_of_birth: '1990-02-28',
    phone: '+12015550123',
    email: validUser.email,
    state: 'CA',
    country: 'USA',
    fail_reason: '',
    hash: expect.stringMatching(/./),
  })
  expect(Object.keys(order)).toHaveLength(29)
})

test('2.2 partner_data holds the parameters that are no field of an order', async ({ service }) => {
  const { partner_data } = await service.buy({ city: 'Utrecht', guild: 'north', hash: 'mine' })
  expect(partner_data).toEqual({ input: { guild: 'north' } })
})

test('2.2 a field without a value is an empty string', async ({ service }) => {
  const order = await service.buy()
  expect(Object.keys(order)).toHaveLength(29)
  expect(order).toMatchObject({ custom_id: '', base: '', address: '', city: '', redirect_url: '' })
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

// Promise: interface/2.3
test('2.3 a subscription has these fields and no others', async ({ service }) => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'customer-7' })
  expect(await must(service.getSubscription({ custom_id: 'customer-7' }))).toEqual({
    user_id: id,
    custom_id: 'customer-7',
    business_user_id: id,
    product_id: 'club-monthly',
    start_date: iso,
    last_paid_date: iso,
    next_paid_date: iso,
    expire_date: iso,
    status: 1,
    failed_to_paid: false,
    next_paid: true,
    interval_time: 'monthly',
  })
})

// Promise: interface/2.4
test('2.4 a user has these fields and no others, and starts in the low-KYC state', async ({ service }) => {
  await service.createWidgetUser()
  expect(await service.user(validUser.email)).toEqual({
    country: 'USA',
    created_at: iso,
    fkyc_status: 'not initiated',
    lkyc_status: 'success',
    limits: expect.any(Object),
    linked_payment_methods: [],
    phone: '+120******23',
    phone_country: 'US',
    user_id: id,
  })
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

// Promise: interface/2.5
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

// Promise: interface/2.6
test.for([
  ['country_of_residence', ['USA', 'GBR', 'JPN', 'BRA'], ['US', 'XKX', 'usa']],
  ['state_of_residence', ['CA', 'NY', 'DC', 'PR'], ['XX', 'ON', 'Texas']],
] as const)('2.6 %s is on the service’s list', async ([field, listed, others], { service }) => {
  const statusesOf = (values: readonly string[]): Promise<number[]> =>
    Promise.all(
      values.map(async (value) => {
        const user = { api_key: service.apiKey, ...validUser, email: `${value}@example.com` }
        return (await service.createWidgetUser({ ...user, [field]: value })).status
      }),
    )
  expect(await statusesOf(listed)).toEqual([200, 200, 200, 200])
  expect(await statusesOf(others)).toEqual([400, 400, 400])
})
