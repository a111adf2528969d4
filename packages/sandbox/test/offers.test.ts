// Promise: sandbox/checkout
/** The offers on the widget page, and how URL parameters select and price them. */
import { expect } from 'vitest'
import { must, test } from './support/service.ts'

test('the offers are those of the catalogue, with the requested one first and only once', async ({
  service,
}) => {
  const catalogue = [
    ['gold-100', '0.99'],
    ['gold-550', '4.99'],
    ['gold-1200', '9.99'],
    ['skin-aurora', '6.50'],
    ['season-pass', '12.00'],
    ['north-keep', '640.00'],
    ['club-monthly', '4.99', 'monthly'],
    ['club-daily', '0.29', 'daily'],
    ['club-yearly', '49.00', 'yearly'],
    ['btc', '50.00', 'Bitcoin', 'Bitcoin at 64000 USD, sent to a wallet.', '0.00078125'],
    ['eth', '50.00', 'Ether', 'Ether at 3200 USD, sent to a wallet.', '0.015625'],
    ['usdc', '50.00', 'USD Coin', 'USD Coin at 1 USD, sent to a wallet.', '50.00'],
  ]
  const rows = async (params: Record<string, string>) =>
    (await service.openCheckout(params)).offers.map((offer) => {
      const { kind, product_id, quote_amount, name, description } = offer
      expect(offer).toMatchObject({ quote: 'USD', name: expect.stringMatching(/./) })
      if (kind === 'subscription') return [product_id, quote_amount, offer.interval_time]
      return kind === 'crypto'
        ? [product_id, quote_amount, name, description, offer.base_amount]
        : [product_id, quote_amount]
    })
  expect(await rows({})).toEqual(catalogue)
  const asked = catalogue[4]
  expect(await rows({ product_id: 'season-pass' })).toEqual([
    asked,
    ...catalogue.filter((row) => row !== asked),
  ])
})

test('product_id selects the offer, at the catalogue’s price', async ({ service }) => {
  const { offer, offers } = await service.openCheckout({ product_id: 'gold-1200' })
  const gold = { kind: 'digital_good', name: '1,200 gold', quote: 'USD', quote_amount: '9.99' }
  expect(offer).toMatchObject(gold)
  expect(offers[0]).toEqual(offer)
  expect(new Set(offers.map(({ kind }) => kind))).toEqual(new Set(['digital_good', 'subscription', 'crypto']))
})

test.for([
  [
    'has the price that the parameters give, in their currency',
    { product_id: 'gold-100', quote: 'EUR', quote_amount: '3.5' },
    { name: '100 gold' },
  ],
  [
    'is a digital good of that name when the catalogue has no such product',
    { product_id: 'castle', quote_amount: '7' },
    { kind: 'digital_good', name: 'castle' },
  ],
] as const)('an offer %s', async ([, params, offer], { service }) => {
  expect((await service.openCheckout(params)).offer).toMatchObject({ ...params, ...offer })
})

test('a crypto offer is computed exactly, down to the eighth decimal', async ({ service }) => {
  for (const [params, offer] of [
    [
      { base: 'BTC', quote_amount: '100' },
      { product_id: 'btc', base_amount: '0.0015625', quote_amount: '100' },
    ],
    [{ base: 'BTC', quote_amount: '0.01' }, { base_amount: '0.00000015' }],
    [
      { base: 'ETH', base_amount: '0.00333333' },
      { quote_amount: '10.67', base_amount: '0.00333333' },
    ],
    [
      { product_id: 'usdc', quote_amount: '12.34567891' },
      { base: 'USDC', base_amount: '12.34567891' },
    ],
    [
      { product_id: 'my-coin', base: 'ETH' },
      { product_id: 'my-coin', base_amount: '0.015625' },
    ],
    [{ base: 'ETH' }, { product_id: 'eth', address: '0x5a4d0b0c00000000000000000000000000000001' }],
    [
      { product_id: 'btc', base: 'USDC' },
      { product_id: 'btc', base: 'USDC', base_amount: '50.00' },
    ],
    [{ base: 'ETH', address: 'wallet-of.ada:1' }, { address: 'wallet-of.ada:1' }],
    [
      { base: 'USDC', base_amount: '3', quote_amount: '2' },
      { quote_amount: '2', base_amount: '2.00' },
    ],
  ] as const)
    expect((await service.openCheckout(params)).offer).toMatchObject(offer)
})

test('the shopper can switch to another offer until it is paid', async ({ service }) => {
  const checkout = await service.openCheckout()
  const chosen = await must(service.act(checkout.id, 'offer', { product_id: 'season-pass' }))
  expect(chosen.offer.product_id).toBe('season-pass')
  expect((await service.act(checkout.id, 'offer', { product_id: 'nothing' })).status).toBe(400)
  await must(service.pay(checkout))
  const late = await must(service.act(checkout.id, 'offer', { product_id: 'gold-100' }))
  expect(late).toMatchObject({ step: 'complete', offer: { product_id: 'season-pass' } })
})

test('invalid parameters are refused by name', async ({ service }) => {
  for (const [params, field] of [
    [{ product_id: 'gold-100', quote_amount: '0' }, 'quote_amount'],
    [{ product_id: 'gold-100', quote_amount: '-5' }, 'quote_amount'],
    [{ product_id: 'gold-100', quote_amount: '1e3' }, 'quote_amount'],
    [{ product_id: 'gold-100', quote_amount: '0.123456789' }, 'quote_amount'],
    [{ product_id: 'gold-100', quote: 'dollars' }, 'quote'],
    [{ base: 'DOGE' }, 'base'],
    [{ base: '__proto__' }, 'base'],
    [{ product_id: 'gold-100', quote: 'EURO' }, 'quote'],
    [{ product_id: 'gold-100', quote: 'xEUR' }, 'quote'],
    [{ product_id: 'g'.repeat(101) }, 'product_id'],
    [{ base: 'ETH', base_amount: 'x' }, 'base_amount'],
    [{ base: 'BTC', address: 'not an address' }, 'address'],
    [{ base: 'BTC', address: 'bc1' }, 'address'],
    [{ base: 'BTC', address: 'b'.repeat(121) }, 'address'],
    [{ base: 'BTC', address: '!bc1q' }, 'address'],
    [{ base: 'BTC', address: 'bc1q!' }, 'address'],
    [{ email: 'nobody' }, 'email'],
    [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
    [{ fail_redirect_url: 'data:text/html,x' }, 'fail_redirect_url'],
    [{ redirect_url: '/thanks' }, 'redirect_url'],
    [{ redirect_url: 'https://user:password@shop.example/' }, 'redirect_url'],
    [{ redirect_url: 'https://user@shop.example/' }, 'redirect_url'],
    [{ redirect_url: 'https://:password@shop.example/' }, 'redirect_url'],
    [{ redirect_url: 'myapp:/thanks' }, 'redirect_url'],
    [{ redirect_url: '1.https://shop.example/' }, 'redirect_url'],
    [{ redirect_url: 'x+https://shop.example/' }, 'redirect_url'],
    [{ redirect_page: 'parent' }, 'redirect_page'],
  ] as [Record<string, string>, string][])
    await expect(service.openCheckout(params)).rejects.toThrow(`"field":"${field}"`)
})
