// Promise: sandbox/checkout
/** What the widget page does, through its private API. */
import { expect } from 'vitest'
import { must, test } from './support/service.ts'

const declinedCard = '4000 0000 0000 4004'

test.for([
  [{}, 'shopper@example.com'],
  [{ custom_id: 'guest-2f71' }, 'guest-2f71@example.com'],
  [{ custom_id: 'c'.repeat(64) }, `${'c'.repeat(64)}@example.com`],
  [{ custom_id: 'ada@shop.example' }, 'adashopexample-a4c14f1b@example.com'],
  [{ custom_id: '冬' }, 'shopper-0868fbc8@example.com'],
  [{ custom_id: 'c'.repeat(65) }, `${'c'.repeat(55)}-b30855e5@example.com`],
] as const)('the example e-mail address is the shopper’s own: %o', async ([params, address], { service }) => {
  const checkout = await service.openCheckout(params)
  expect(checkout.exampleEmail).toBe(address)
  await must(service.pay(checkout, { email: checkout.exampleEmail }))
})

test.for([
  ['a.b', 'ab'],
  ['冬', '夏'],
  ['c'.repeat(65), 'c'.repeat(66)],
] as const)(
  'shoppers with similar ids have different example addresses: %s and %s',
  async ([one, other], { service }) => {
    const addressOf = async (custom_id: string): Promise<string> =>
      (await service.openCheckout({ custom_id })).exampleEmail
    expect(await addressOf(one)).not.toBe(await addressOf(other))
  },
)

test('the return address is redirect_url after success and fail_redirect_url after a decline', async ({
  service,
}) => {
  const checkout = await service.openCheckout({
    redirect_url: 'https://shop.example/thanks',
    fail_redirect_url: 'com.example.shop:/sorry',
  })
  const declined = await must(service.pay(checkout, { card_number: declinedCard }))
  expect(declined.redirect).toEqual({ url: 'com.example.shop:/sorry', target: '_self' })
  const complete = await must(service.pay(checkout))
  expect(complete.redirect).toEqual({ url: 'https://shop.example/thanks', target: '_self' })
  const local = await service.openCheckout({ fail_redirect_url: 'http://localhost:3000/sorry' })
  expect((await must(service.pay(local))).redirect).toBeNull()
})

test('a payment needs an e-mail address, a card number, its expiry and its code', async ({ service }) => {
  const checkout = await service.openCheckout()
  for (const [form, field] of [
    [{ email: 'nobody' }, 'email'],
    [{ card_number: '4242' }, 'card_number'],
    [{ card_number: 'my card' }, 'card_number'],
    [{ card_number: '42424242424' }, 'card_number'],
    [{ card_number: '42424242424242424242' }, 'card_number'],
    [{ card_number: 'No 4242424242424242' }, 'card_number'],
    [{ card_number: '4242424242424242 it is' }, 'card_number'],
    [{ expiry_date: '13/49' }, 'expiry_date'],
    [{ expiry_date: '00/49' }, 'expiry_date'],
    [{ expiry_date: '12/2049' }, 'expiry_date'],
    [{ expiry_date: '112/49' }, 'expiry_date'],
    [{ expiry_date: '12/49 or so' }, 'expiry_date'],
    [{ expiry_date: '01/26' }, 'expiry_date'],
    [{ security_code: '12' }, 'security_code'],
    [{ security_code: '12345' }, 'security_code'],
    [{ security_code: 'x123' }, 'security_code'],
  ] as const)
    expect(await service.pay(checkout, form)).toMatchObject({ status: 400, body: { error: true, field } })
  expect(await service.orderTypes()).toEqual([])
})

test('a payment finds the user by e-mail address, or creates one in the low-KYC state', async ({
  service,
}) => {
  const made = await must(service.createWidgetUser())
  const known = await service.buy({}, { email: 'ada@example.com' })
  expect(known.user_id).toBe(made.data.user_id)
  const fresh = await service.buy({}, { email: 'new@example.com' })
  expect(await service.user('new@example.com')).toMatchObject({
    user_id: fresh.user_id,
    fkyc_status: 'not initiated',
    lkyc_status: 'success',
    country: 'USA',
  })
})

test('a card that is not a test card is declined as incorrect, 4003', async ({ service }) => {
  for (const card_number of [
    '5555 5555 5555 4444',
    '4111 0000 0000 4004',
    '4000 0000 0000 0 4004',
    '4000 0000 0000 1234',
    '424242424242',
    '4242424242424242424',
  ]) {
    const declined = await must(service.pay(await service.openCheckout(), { card_number }))
    expect(declined.order?.decline, card_number).toBe('4003')
  }
})

test('a card is valid until the end of its month, however it is written', async ({ service }) => {
  await service.set('clock', { now: '2031-05-31T23:00:00Z' })
  const form = { card_number: '4242-4242-4242-4242', expiry_date: ' 05 / 31 ', security_code: ' 1234 ' }
  const paid = await must(service.pay(await service.openCheckout(), form))
  expect(paid.step).toBe('complete')
  await service.set('clock', { now: '2031-06-01T00:00:00Z' })
  const late = await service.pay(await service.openCheckout(), form)
  expect(late).toMatchObject({ status: 400, body: { field: 'expiry_date' } })
})

test('a payment takes an e-mail address with spaces around it, and knows that of a user whom the parameters name', async ({
  service,
}) => {
  const { user_id = '' } = await service.buy({}, { email: 'ada@example.com' })
  expect((await service.openCheckout({ user_id })).email).toBe('ada@example.com')
  const checkout = await service.openCheckout({ user_id: 'nobody' })
  expect(checkout.email).toBeNull()
  const paid = await must(service.pay(checkout, { email: ' grace@example.com ' }))
  expect(paid.email).toBe('grace@example.com')
})

test('a payment for coins has a transaction on their chain, and no other payment does', async ({
  service,
}) => {
  const { hash, transaction_id } = await service.buy({ product_id: 'eth' })
  expect(transaction_id).toBe(`0x${hash}`)
  expect(await service.buy({ product_id: 'gold-100' })).toMatchObject({ transaction_id: '', base: '' })
})

test('a subscription can be cancelled where it was bought, and nothing else can', async ({ service }) => {
  const club = await service.openCheckout({ product_id: 'club-daily' })
  const paid = await must(service.pay(club))
  expect(paid.subscription?.status).toBe('active')
  const cancelled = await must(service.act(club.id, 'cancel-subscription', {}))
  expect(cancelled.subscription?.status).toBe('canceled')
  const gold = await service.openCheckout()
  await must(service.pay(gold))
  expect((await service.act(gold.id, 'cancel-subscription', {})).status).toBe(404)
})

test('a payment is made once, however often it is requested concurrently or again', async ({ service }) => {
  await service.flip({ paymentMs: 500 })
  const checkout = await service.openCheckout()
  const paid = await Promise.all([1, 2, 3].map(() => must(service.pay(checkout))))
  paid.push(await must(service.pay(checkout)))
  expect(new Set(paid.map(({ order }) => order?.id)).size).toBe(1)
  expect(await service.orderTypes()).toEqual(['order_complete'])
})

test('a completed payment is final: another choice sells nothing more', async ({ service }) => {
  const checkout = await service.openCheckout({ product_id: 'gold-100' })
  const { order } = await must(service.pay(checkout))
  const chosen = await must(service.act(checkout.id, 'offer', { product_id: 'gold-550' }))
  expect(chosen).toMatchObject({ step: 'complete', offer: { product_id: 'gold-100' }, order })
  expect(await must(service.pay(checkout))).toMatchObject({ step: 'complete', order })
})

test('a payment is refused once the token that opened the page has expired', async ({ service }) => {
  const checkout = await service.openCheckout({}, await service.token('7'))
  await service.advance(8)
  expect(await service.pay(checkout)).toMatchObject({ status: 401 })
  expect(await service.orderTypes()).toEqual([])
})

test('a reloaded page finds its payment unchanged', async ({ service, sandbox }) => {
  const checkout = await service.openCheckout({ product_id: 'gold-550' })
  const url = `${sandbox.urls.widgetUrl}/widget/api/checkouts/${checkout.id}`
  expect((await service.send('GET', url)).body).toEqual(checkout)
  const paid = await must(service.pay(checkout))
  expect((await service.send('GET', url)).body).toEqual(paid)
  expect((await service.send('GET', `${url}x`)).status).toBe(404)
})

test('a payment during a reset of the sandbox ends in a refusal, not in an error', async ({
  service,
  sandbox,
}) => {
  await service.flip({ paymentMs: 2_000 })
  const paying = service.pay(await service.openCheckout())
  await expect.poll(() => service.orderTypes()).toEqual(['payment_started'])
  sandbox.reset()
  expect((await paying).status).toBe(404)
})

test('the page has a strict policy, is not cached and sends no referrer', async ({ sandbox }) => {
  const { headers } = await fetch(`${sandbox.urls.widgetUrl}/widget/?accessToken=x`)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; connect-src 'self'; base-uri 'none'; form-action 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
})

test('the page and the API are on different origins, and each serves only its own paths', async ({
  sandbox,
}) => {
  const { widgetUrl, baseUrl } = sandbox.urls
  expect(new URL(widgetUrl).origin).not.toBe(new URL(baseUrl).origin)
  for (const address of [
    `${baseUrl}/widget/`,
    `${widgetUrl}/api/widget/order_history`,
    `${widgetUrl}/_sandbox/orders`,
  ])
    expect((await fetch(address)).status, address).toBe(404)
})
