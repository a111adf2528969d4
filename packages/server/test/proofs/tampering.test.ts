// Promise: match/tampered
/** Changes to the widget's address before payment: the service's order is never matched. */
import { beforeEach, describe, expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { memoryStore } from '../../src/index.ts'
import { get } from '../support/companion.ts'
import { type Instance, openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let time: number
beforeEach(() => {
  time = Date.now()
})

const DAY_MS = 86_400_000
type Params = Record<string, string>

/** Widget addresses of other purchases. */
interface Others {
  /** Another shopper's. */
  foreign: Params
  /** Another of the same shopper's, at another price. */
  dear: Params
  /** Of the same shopper, created the day before yesterday. */
  old: Params
  /** Of the same shopper, already paid. */
  used: Params
  /** Of the same shopper, for coins sent to a wallet. */
  coins: Params
  /** Of another shop with the same keys. */
  elsewhere: Params
}

const addresses = ({ redirect_url = '', fail_redirect_url = '' }: Params): Params => ({
  redirect_url,
  fail_redirect_url,
})
/** The field of the order that names the purchase, for either carrier. */
const named = (params: Params, carry: string): Params =>
  carry === 'custom_id' ? { custom_id: params.custom_id ?? '' } : addresses(params)
const without = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))

const sold: Record<string, (params: Params, others: Others) => Params> = {
  'a lower price': (params) => ({ ...params, quote_amount: '0.01' }),
  'a price that is lower by little': (params) => ({ ...params, quote_amount: '9.98' }),
  'no price': (params) => without(params, 'quote_amount'),
  'another currency': (params) => ({ ...params, quote: 'EUR' }),
  'another product': (params) => ({ ...params, product_id: 'gems-500' }),
  'coins instead': (params, { coins }) => ({ ...params, product_id: 'btc', address: coins.address ?? '' }),
  'another wallet': (_, { coins }) => ({ ...coins, address: 'bc1qevil' }),
  'another cryptocurrency': (_, { coins }) => ({ ...coins, base: 'ETH' }),
  'another quantity': (_, { coins }) => ({ ...without(coins, 'quote_amount'), base_amount: '0.0001' }),
  'a lower price of coins': (_, { coins }) => ({ ...coins, quote_amount: '1.00' }),
}

const carried: Record<string, (params: Params, others: Others, carry: string) => Params> = {
  'another shopper’s purchase': (params, { foreign }, carry) => ({ ...params, ...named(foreign, carry) }),
  'a dearer purchase': (params, { dear }, carry) => ({ ...params, ...named(dear, carry) }),
  'an old purchase': (params, { old }, carry) => ({ ...params, ...named(old, carry) }),
  'a purchase that is paid': (params, { used }, carry) => ({ ...params, ...named(used, carry) }),
  'a purchase of another shop': (params, { elsewhere }, carry) => ({ ...params, ...named(elsewhere, carry) }),
  'a purchase that never was': (params, _, carry) => ({
    ...params,
    ...named(
      {
        redirect_url: 'https://shop.example/api/purchase-widget/return/xxxxxxxxxxxxxxxxxxxxxx',
        fail_redirect_url: 'https://shop.example/api/purchase-widget/return/xxxxxxxxxxxxxxxxxxxxxx/failed',
        custom_id: 'x'.repeat(22),
      },
      carry,
    ),
  }),
  'the address of the old purchase as it was': (_, { old }) => old,
  'the address of the paid purchase as it was': (_, { used }) => used,
}

const ofAddresses: Record<string, (params: Params, others: Others) => Params> = {
  'the return address stripped': (params) => without(params, 'redirect_url', 'fail_redirect_url'),
  'one return address stripped': (params) => without(params, 'redirect_url'),
  'the other return address stripped': (params) => without(params, 'fail_redirect_url'),
  'return addresses swapped': (params) => ({
    ...params,
    redirect_url: params.fail_redirect_url ?? '',
    fail_redirect_url: params.redirect_url ?? '',
  }),
  'a return address of another host': (params) => ({
    ...params,
    redirect_url: 'https://evil.example/thanks',
  }),
  'a return address behind another host': (params) => ({
    ...params,
    redirect_url: `https://evil.example/?to=${params.redirect_url}`,
  }),
  'the path of the return address at another host': (params) => ({
    ...params,
    redirect_url: `${params.redirect_url}`.replace('shop.example', 'evil.example'),
  }),
  'one return address of another purchase': (params, { foreign }) => ({
    ...params,
    fail_redirect_url: foreign.fail_redirect_url ?? '',
  }),
}

const ofShopper: typeof ofAddresses = {
  'another shopper’s id': (params) => ({ ...params, custom_id: 'eve' }),
  'no shopper': (params) => without(params, 'custom_id'),
}

const carriers = ['return_url', 'custom_id'] as const
const cases = carriers.flatMap((carry) => [
  ...Object.keys({ ...sold, ...carried, ...(carry === 'return_url' ? ofAddresses : {}), ...ofShopper }).map(
    (name) => [carry, name] as const,
  ),
])

/** The parts of the address that `GET /launch` redirects to. */
async function widgetParams(shop: Instance, shopper: string, product = 'gold-100'): Promise<Params> {
  const link = get(`/launch?product_id=${product}`, shopper, { 'sec-fetch-mode': 'navigate' })
  const response = await shop.companion.fetch(link)
  expect(response.status).toBe(303)
  return without(
    Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams),
    'accessToken',
  )
}

const usd = (product_id: string, quote_amount: string): Params => ({ product_id, quote: 'USD', quote_amount })
const catalogue: Record<string, Params> = {
  'gold-100': usd('gold-100', '9.99'),
  'gems-500': usd('gems-500', '44.99'),
  btc: { ...usd('btc', '50.00'), base: 'BTC', address: 'bc1qshop' },
}

function shopOf(carry: (typeof carriers)[number], url?: string): Instance {
  const now = (): number => time
  return openInstance(service.client(), memoryStore({ now }), {
    carry,
    now,
    ...(url === undefined ? {} : { url }),
    createPurchase: ({ params: { product_id = '' } }) => ({
      params: catalogue[product_id] ?? {},
      open: ['base_amount'],
    }),
  })
}

describe.each(carriers)('where %s carries the purchase', (carry) => {
  test.each(['gold-100', 'btc'])('an untampered order of %s is matched', async (product) => {
    const shop = shopOf(carry)
    const order = await service.buy(await widgetParams(shop, 'ada', product))
    expect((await shop.stateOf(order)).state).toBe('matched')
  })

  test.each(cases.filter(([of]) => of === carry).map(([, name]) => name))(
    'an order with %s is not matched',
    async (name) => {
      const shop = shopOf(carry)
      const old = await widgetParams(shop, 'ada')
      time += 2 * DAY_MS
      const used = await widgetParams(shop, 'ada')
      expect((await shop.stateOf(await service.buy(used))).state).toBe('matched')
      const others: Others = {
        old,
        used,
        foreign: await widgetParams(shop, 'carol'),
        coins: await widgetParams(shop, 'ada', 'btc'),
        dear: await widgetParams(shop, 'ada', 'gems-500'),
        elsewhere: await widgetParams(shopOf(carry, 'https://other.example/api/purchase-widget'), 'ada'),
      }
      const params = await widgetParams(shop, 'ada')
      const tamper = { ...sold, ...carried, ...ofAddresses, ...ofShopper }[name]
      const order = await service.buy(tamper?.(params, others, carry) ?? params)
      expect(['mismatched', 'duplicate', 'none']).toContain((await shop.stateOf(order)).state)
    },
  )
})

test('there are at least forty cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
  recordFigure('tampered orders that are matched', `0 of ${cases.length}`)
})
