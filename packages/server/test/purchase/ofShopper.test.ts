// Promise: companion/orders
/** What is listed to a shopper: their purchases, orders and subscriptions, and nobody else's. */
import { describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../src/errors.ts'
import type { Order, Subscription, SubscriptionQuery } from '../../src/index.ts'
import { type OrdersOfOptions, ordersOf, purchasesOf, subscriptionsOf } from '../../src/purchase/ofShopper.ts'
import type { Purchase, PurchaseRecord } from '../../src/purchase/purchase.ts'
import type { Caller } from '../../src/purchase/shopper.ts'
import { purchaseOf } from '../support/purchases.ts'

const ada: Caller = { shopper: { customId: 'ada', userId: 'U1' }, formerly: ['guest-1'] }
const byUser: Caller = { shopper: { userId: 'U1' }, formerly: ['guest-1'] }
const carried = { carrier: 'custom_id', shopper: { userId: 'U1' } } as const

const rowOf = (changes: Partial<Purchase>, claimedBy: string | null = 'paid'): PurchaseRecord => ({
  purchase: purchaseOf(changes),
  claimedBy,
  preloadedUntil: null,
  orders: [],
})

/** Rows that are found by text, as a store finds them. `asked` is by which. */
function rowsOf(rows: PurchaseRecord[]): OrdersOfOptions['rows'] & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async ofShopper(id) {
      asked.push(id)
      return rows.filter(({ purchase: { shopper } }) => (shopper.customId ?? shopper.userId) === id)
    },
  }
}

test('purchases are found by each id, and one that is only spelt alike is left out', async () => {
  const own = rowOf({ shopper: { customId: 'ada' } })
  const former = rowOf({ shopper: { customId: 'guest-1' } })
  const spelt = rowOf({ shopper: { userId: 'ada' } })
  const rows = rowsOf([spelt, former, own, rowOf({ shopper: { customId: 'eve' } })])
  expect(await purchasesOf(rows, ada)).toEqual([own, former])
  expect(rows.asked).toEqual(['ada', 'guest-1'])
})

describe('orders', () => {
  const listed: Record<string, Order[]> = {
    ada: [
      { id: 'o1', type: 'order_complete', custom_id: 'ada', raw: {} },
      { id: 'o2', type: 'order_complete', custom_id: 'eve', raw: {} },
    ],
    'guest-1': [{ id: 'o3', type: 'order_failed', custom_id: 'guest-1', raw: {} }],
  }

  function listing(rows: PurchaseRecord[]) {
    const asked: string[] = []
    const options: OrdersOfOptions = {
      client: {
        orders: {
          async list({ custom_id = '' }) {
            asked.push(`list ${custom_id}`)
            return listed[custom_id] ?? []
          },
          listAll: () => Promise.reject(new Error('not of the whole business')),
        },
      },
      tokens: { get: async () => ({ accessToken: 't', expiresAt: null }) },
      rows: {
        async ofShopper(id) {
          asked.push(`rows ${id}`)
          return rowsOf(rows).ofShopper(id)
        },
      },
    }
    return { ordersOf: (caller: Caller) => ordersOf(options, caller), asked }
  }

  const withOrders = (
    changes: Partial<Purchase>,
    claimedBy: string | null,
    ...ids: string[]
  ): PurchaseRecord => ({
    ...rowOf(changes, claimedBy),
    orders: ids.map((id) => ({
      id,
      type: 'order_complete',
      state: 'matched',
      summary: JSON.stringify({ id }),
    })),
  })

  test('are listed by the ids of the shop, those from before too, and are the caller’s', async () => {
    const { ordersOf, asked } = listing([])
    const { listed: orders, recorded } = await ordersOf(ada)
    expect([orders.map(({ id }) => id), recorded]).toEqual([['o1', 'o3'], []])
    expect(asked.filter((one) => one.startsWith('list'))).toEqual(['list ada', 'list guest-1'])
  })

  test('are never listed by an id of the service’s', async () => {
    const { ordersOf, asked } = listing([])
    expect((await ordersOf(byUser)).listed.map(({ id }) => id)).toEqual(['o3'])
    expect(asked.filter((one) => one.startsWith('list'))).toEqual(['list guest-1'])
  })

  test('are recorded newest first, where the purchase travels in their custom id, and no order comes twice', async () => {
    const { ordersOf, asked } = listing([
      withOrders(carried, 'b', 'a', 'b', 'o3'),
      withOrders({ ...carried, carrier: 'return_url' }, 'x', 'x'),
      withOrders(carried, 'd', 'c', 'd'),
    ])
    expect((await ordersOf(byUser)).recorded).toEqual([{ id: 'b' }, { id: 'a' }, { id: 'd' }, { id: 'c' }])
    expect(asked.toSorted()).toEqual(['list guest-1', 'rows U1', 'rows guest-1'])
  })
})

describe('subscriptions', () => {
  /** A service that lists what fits a query, and something else with it. */
  function listing(rows: PurchaseRecord[], subscriptions: Subscription[], refusal?: Error) {
    const asked: SubscriptionQuery[] = []
    const client = {
      subscriptions: {
        async list(query: SubscriptionQuery) {
          asked.push(query)
          if (refusal) throw refusal
          return subscriptions
        },
        retrieve: () => Promise.reject(new Error('there may be several')),
      },
    }
    const found = rowsOf(rows)
    return { subscriptionsOf: (caller: Caller) => subscriptionsOf(client, found, caller), asked }
  }

  const of = (fields: { custom_id?: string; user_id?: string }): Subscription => ({ ...fields, raw: fields })

  test('are asked for by one id at a time, and another’s are left out', async () => {
    const own = [of({ custom_id: 'ada' }), of({ custom_id: 'guest-1' })]
    const { subscriptionsOf, asked } = listing([], [...own, of({ custom_id: 'eve' }), of({ user_id: 'U1' })])
    expect(await subscriptionsOf(ada)).toEqual(own)
    expect(asked).toEqual([{ custom_id: 'ada' }, { custom_id: 'guest-1' }])
  })

  test('of a shopper without an id of the shop’s are asked for by the service’s', async () => {
    const both = of({ user_id: 'U1', custom_id: 'guest-1' })
    const { subscriptionsOf, asked } = listing([], [of({ user_id: 'U1' }), both, of({ user_id: 'U2' })])
    expect(await subscriptionsOf(byUser)).toEqual([of({ user_id: 'U1' }), both])
    expect(asked).toEqual([{ user_id: 'U1' }, { custom_id: 'guest-1' }])
  })

  test('of a shopper who has the same id at both are asked for by the shop’s', async () => {
    const { subscriptionsOf, asked } = listing([], [])
    expect(await subscriptionsOf({ shopper: { customId: 'U1', userId: 'U1' }, formerly: [] })).toEqual([])
    expect(asked).toEqual([{ custom_id: 'U1' }])
  })

  test('are asked for by the latest purchase of each product that was paid and travels in the custom id', async () => {
    const product = (product_id: string): Partial<Purchase> => ({ ...carried, params: { product_id } })
    const rows = [
      rowOf(product('a'), null),
      rowOf({ ...product('a'), carrier: 'return_url' }),
      rowOf(product('a')),
      rowOf(product('a')),
      ...['b', 'c', 'd', 'e', 'f'].map((name) => rowOf(product(name))),
    ]
    const { subscriptionsOf, asked } = listing(rows, [])
    await subscriptionsOf({ ...byUser, formerly: [] })
    const ids = [2, 4, 5, 6, 7].map((at) => ({ custom_id: `purchase_${rows[at]?.purchase.id}` }))
    expect(asked).toEqual([{ user_id: 'U1' }, ...ids])
  })

  test.each([
    ['unknown to the service are none', new ApiError('subscriptions.list', 'unknown', { status: 404 }), true],
    [
      'that the service does not tell of',
      new ApiError('subscriptions.list', 'broken', { status: 500 }),
      false,
    ],
    ['of a service that is gone', new NetworkError('subscriptions.list', 'gone'), false],
  ])('%s', async (_, refusal, isNone) => {
    const asking = listing([], [], refusal).subscriptionsOf(ada)
    if (isNone) expect(await asking).toEqual([])
    else await expect(asking).rejects.toBe(refusal)
  })
})
